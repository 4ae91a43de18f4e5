import type { PaymentClient } from '@tallystick/client'
import { type OperationKey, RejectedError, type RequestInput } from '@tallystick/core'
import { inputs } from './inputs.ts'

/** How a call ended, in one form for reads, which throw, and for everything else, which returns. */
export interface Ending {
  readonly outcome: string
  readonly errorCode?: string | undefined
  readonly message?: string
}

/** Calls an operation with its valid request. */
export async function callOperation<K extends OperationKey>(client: PaymentClient, key: K): Promise<Ending> {
  try {
    const method = client[key] as (input: RequestInput<K>) => Promise<unknown>
    return endingOf(await method(inputs[key]))
  } catch (error) {
    return { outcome: 'rejected', ...told(error) }
  }
}

function endingOf(result: unknown): Ending {
  const { outcome = 'accepted', error } = result as { readonly outcome?: string; readonly error?: unknown }
  return { outcome, ...told(error) }
}

function told(error: unknown) {
  if (error === undefined) return {}
  if (error instanceof RejectedError) return { errorCode: error.errorCode, message: error.message }
  throw error
}
