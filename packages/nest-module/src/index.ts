export type { MountedGateway } from './gateway/gateway.controller.ts'
export {
  PaymentGatewayModule,
  type PaymentGatewayModuleAsyncOptions,
  type PaymentGatewayModuleOptions,
} from './gateway/payment-gateway.module.ts'
export { OnPaymentOutcome } from './outcomes/on-payment-outcome.decorator.ts'
export type {
  ConfirmedOutcome,
  DecidedOperation,
  HeardOutcome,
  JournaledOutcome,
  OutcomeFilter,
  OutcomeStatus,
} from './outcomes/outcome-filter.ts'
export type { PaymentsHealth, PaymentsHealthReport } from './payments.health.ts'
export { PaymentsModule } from './payments.module.ts'
export type {
  CallbackSettings,
  ConfirmingSettings,
  JournalingSettings,
  JournalReturnSettings,
  MakeJournal,
  PaymentJournal,
  PaymentsModuleAsyncOptions,
  PaymentsModuleOptions,
  PaymentsRoutes,
  PaymentsSettings,
  PaymentsSettingsFactory,
  TellOutcome,
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
