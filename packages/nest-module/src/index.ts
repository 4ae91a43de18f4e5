export type { MountedGateway } from './gateway/gateway.controller.ts'
export {
  PaymentGatewayModule,
  type PaymentGatewayModuleAsyncOptions,
  type PaymentGatewayModuleOptions,
} from './gateway/payment-gateway.module.ts'
export {
  type ConfirmedOutcome,
  type DecidedOperation,
  type JournaledOutcome,
  OnPaymentOutcome,
  type OutcomeEvent,
  type OutcomeFilter,
  type OutcomeStatus,
} from './outcomes/on-payment-outcome.decorator.ts'
export type { PaymentsHealth, PaymentsHealthReport } from './payments.health.ts'
export { PaymentsModule } from './payments.module.ts'
export type {
  CallbackSettings,
  ConfirmingSettings,
  JournalFactory,
  JournalingSettings,
  JournalReturnSettings,
  OutcomeListener,
  PaymentJournal,
  PaymentsModuleAsyncOptions,
  PaymentsModuleOptions,
  PaymentsRoutes,
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
