export { type CallbackRouteOptions, PaymentsModule, type PaymentsModuleOptions } from './payments.module.ts'
export { InjectPayments, PAYMENT_CLIENT } from './payments.tokens.ts'
