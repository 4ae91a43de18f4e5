export {
  PaymentGatewayModule,
  type PaymentGatewayModuleAsyncOptions,
  type PaymentGatewayModuleOptions,
} from './gateway/payment-gateway.module.ts'
export {
  type ConfirmedOutcome,
  type InstanceFilter,
  type JournaledOutcome,
  OnNotice,
  OnPaid,
  OnPaymentOutcome,
  OnResult,
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
  ShopModuleAsyncOptions,
  ShopModuleOptions,
  ShopSettings,
  ThreeDsReturnSettings,
} from './payments.options.ts'
export {
  getPaymentClientToken,
  getPaymentJournalToken,
  getPaymentsHealthToken,
  getPaymentsToken,
  InjectPaymentClient,
  InjectPaymentJournal,
  InjectPayments,
  InjectPaymentsHealth,
} from './payments.tokens.ts'
export type { RouteOptions } from './routes/route-options.ts'
