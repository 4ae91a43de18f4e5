export { type Endpoint, operationUrl } from './addresses/paths.ts'
export { type Callback, callbackControlTerms } from './callbacks/callback.ts'
export { parseCallbackForm, readCallback } from './callbacks/codec.ts'
export { type Pair, parseForm, serializeForm } from './codec/form.ts'
export { recurringResults, recurringRows } from './codec/recurring-rows.ts'
export { readReply } from './codec/reply.ts'
export { decodeRequest, encodeRequest, parseRequest } from './codec/request.ts'
export { controlTerms } from './control/control-terms.ts'
export { AuthRejectedError, GatewayError, NoReplyError, NotSentError, RejectedError } from './errors/exchange-errors.ts'
export { isPaymentError, PaymentError } from './errors/is-payment-error.ts'
export { InvalidInputError, MalformedFormError, type PaymentErrorCode } from './errors/payment-error.ts'
export type { AmountText } from './models/formats.ts'
export type { Model } from './models/model.ts'
export { type Exponents, fromMinorUnits, toMinorUnits } from './money/minor-units.ts'
export {
  catalogue,
  type OperationKey,
  type Operations,
  operationKeys,
  type ReplyValues,
} from './operations/catalogue.ts'
export type { OAuthMethod, Operation } from './operations/operation.ts'
export type {
  AccountVerificationFormInput,
  AccountVerificationInput,
  CaptureInput,
  CreateCardRefInput,
  CreateCardRefV4Input,
  CreateRecurringPaymentInput,
  CreateRecurringPaymentsInput,
  GetCardInfoInput,
  GetRecurringPaymentInput,
  MakeRebillInput,
  PanEligibilitySendInput,
  PaymentFormInput,
  PayoutCheckInput,
  PayoutFormInput,
  PayoutInput,
  PayoutPayInput,
  PreauthFormInput,
  PreauthInput,
  ProcessRecurringPaymentInput,
  ProcessRecurringPaymentsInput,
  RequestInput,
  ReturnInput,
  SaleFormInput,
  SaleInput,
  StatusInput,
  TransferByRefInput,
  TransferInput,
  UpdateRecurringPaymentInput,
  UpdateRecurringPaymentsInput,
  VoidInput,
} from './operations/request-inputs.ts'
export { defineProfile, type Profile } from './profile/profile.ts'
export { readRecording, writeRecording } from './recording/ndjson.ts'
export type {
  GatewayEvent,
  MerchantEvent,
  NewEvent,
  RecordedDiagnosis,
  RecordedEvent,
  Recorder,
} from './recording/recorded-event.ts'
export type { ActionTerms } from './rules/attempt.ts'
export { type ActionAdvice, allowedActions, decideAction, decideStoreCard } from './rules/decide-action.ts'
export { deriveOrder } from './rules/derive-order.ts'
export { OPERATION_KINDS, type OperationKind } from './rules/operation-kinds.ts'
export { DEFAULT_TIMES, type Order, type OrderOperation, type OrderTerms } from './rules/order.ts'
export { OPERATION_STATUSES, type OperationStatus } from './rules/transitions.ts'
export { maskCardNumbers } from './sensitive/mask-card-numbers.ts'
export { Cvv, Secret } from './sensitive/masked.ts'
export { Pan } from './sensitive/pan.ts'
export { redact } from './sensitive/redact.ts'
export { type FinalStatus, isFinalStatus, type Status } from './statuses.ts'
