import { PaymentError } from '@tallystick/core'
import type { OperationCase } from './operations.ts'

/** How a call ended, in a word: `accepted`, or the outcome and the code of its error. */
export async function ending(sending: ReturnType<OperationCase['send']>): Promise<string> {
  try {
    const result = await sending
    if (!isResult(result)) return 'accepted'
    return result.error === undefined ? result.outcome : `${result.outcome} ${result.error.code}`
  } catch (error) {
    if (error instanceof PaymentError) return `thrown ${error.code}`
    throw error
  }
}

/** The error of a call that did not succeed, returned or thrown. */
export async function errorOf(sending: ReturnType<OperationCase['send']>): Promise<unknown> {
  try {
    const result = await sending
    return isResult(result) ? result.error : undefined
  } catch (error) {
    return error
  }
}

function isResult(value: unknown): value is { readonly outcome: string; readonly error?: PaymentError } {
  return typeof value === 'object' && value !== null && 'outcome' in value
}
