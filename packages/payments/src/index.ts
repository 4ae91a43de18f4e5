export { createPayments } from './create-payments.ts'
export type { NoticeKind, OperationEnd, PaidPayment, PaymentNotice } from './events.ts'
export type { Money } from './money.ts'
export type {
  NoticeEvent,
  PaidEvent,
  PaymentsEvent,
  PaymentsOptions,
  PaymentsSettings,
  ResultEvent,
  SqliteFile,
} from './options.ts'
export type { Customer, PaymentOrder } from './order.ts'
export { Payments, type Refund } from './payments.ts'
export type { ShownPayment } from './shown.ts'
export { customerTexts, type Shown, type Texts, type TextsByLanguage } from './texts.ts'
