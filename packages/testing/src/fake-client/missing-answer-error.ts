import type { OperationKey } from '@tallystick/core'

/** The code called an operation for which the test scripted no answer. Nothing was sent anywhere. */
export class MissingAnswerError extends Error {
  override readonly name = 'MissingAnswerError'
  readonly operation: OperationKey

  constructor(operation: OperationKey) {
    super(
      `${operation} was called, and this fake client has no answer left for it. Write ` +
        `fake.answer('${operation}', accepted()) before the call, or rejected(), unknown() or notSent() instead; ` +
        `fake.always('${operation}', accepted()) answers every call.`,
    )
    this.operation = operation
  }
}
