import { Inject } from '@nestjs/common'

/** The token of the payment client. */
export const PAYMENT_CLIENT = Symbol.for('@tallystick/nest-module:client')

/** The token of the callback handler. */
export const CALLBACK_HANDLER = Symbol.for('@tallystick/nest-module:callbacks')

/** Injects the `PaymentClient`: `constructor(@InjectPayments() private readonly payments: PaymentClient)`. */
export function InjectPayments(): ParameterDecorator & PropertyDecorator {
  return Inject(PAYMENT_CLIENT)
}
