import type { NewOutcome, Observation } from '@tallystick/client'

/** Why an outcome is not approved, as its status says. If it is, a reason is that of something else, such as a refused change. */
export function reasonOf(
  { status }: Pick<NewOutcome, 'status'>,
  { errorCode, errorMessage }: Observation,
): Pick<NewOutcome, 'errorCode' | 'errorMessage'> {
  return status === 'approved' ? {} : { errorCode, errorMessage }
}
