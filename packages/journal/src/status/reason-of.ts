import type { NewOutcome, Observation } from '@tallystick/client'
import type { Processed } from '@tallystick/core'

/** Why an outcome is not approved, as its status says. If it is, a reason is that of something else, such as a refused change. */
export function reasonOf(
  { status }: Pick<NewOutcome, 'status'>,
  { errorCode, errorMessage }: Observation,
): Pick<NewOutcome, 'errorCode' | 'errorMessage'> {
  return status === 'approved' ? {} : { errorCode, errorMessage }
}

/** When the operation was processed that a status shows, and how the bank names it. */
export function processedOf({ processedAt, references }: Observation): Processed {
  return {
    ...(processedAt === undefined ? {} : { processedAt }),
    ...(references === undefined ? {} : { references }),
  }
}
