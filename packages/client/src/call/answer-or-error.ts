import { isPaymentError, type PaymentError } from '@tallystick/core'

/** What a read gives, or the `PaymentError` that says why it gave nothing. */
export async function answerOrError<Answer>(ask: () => Promise<Answer>): Promise<Answer | PaymentError> {
  try {
    return await ask()
  } catch (error) {
    if (isPaymentError(error)) return error
    throw error
  }
}
