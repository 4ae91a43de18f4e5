export {
  PaymentGatewayModule,
  type PaymentGatewayModuleAsyncOptions,
  type PaymentGatewayModuleOptions,
} from './gateway/payment-gateway.module.ts'
export {
  type ConfirmedOutcome,
  type JournaledOutcome,
  OnPaymentOutcome,
  type OutcomeEvent,
} from './outcomes/on-payment-outcome.decorator.ts'
export type { PaymentsHealth, PaymentsHealthReport } from './payments.instance.ts'
export { PaymentsModule } from './payments.module.ts'
export type {
  CallbackSettings,
  OutcomeListener,
  PaymentsModuleAsyncOptions,
  PaymentsModuleOptions,
  PaymentsSettings,
  PaymentsSettingsFactory,
  ThreeDsReturnSettings,
} from './payments.options.ts'
export {
  getPaymentJournalToken,
  getPaymentsHealthToken,
  getPaymentsToken,
  InjectPaymentJournal,
  InjectPayments,
  InjectPaymentsHealth,
} from './payments.tokens.ts'
export type { RouteOptions } from './routes/route-options.ts'
