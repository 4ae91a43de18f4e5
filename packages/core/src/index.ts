export {
  type Endpoint,
  type EndpointAddress,
  endpointAddress,
  isEndpointId,
  matchPath,
  operationUrl,
  type Route,
} from './addresses/paths.ts'
export {
  type Callback,
  type CallbackFields,
  CallbackNotice,
  callbackControlTerms,
  callbackQueryIssue,
} from './callbacks/callback.ts'
export { callbackDecides, parseCallbackForm, readCallback, writeCallback } from './callbacks/codec.ts'
export {
  type FormLimits,
  type Pair,
  parseForm,
  parseOpenForm,
  REQUEST_LIMITS,
  serializeForm,
  singleValues,
} from './codec/form.ts'
export {
  MOST_ROWS,
  type ReadRow,
  type RecurringResult,
  ROW_OPERATIONS,
  type RowOperation,
  type RowsKey,
  readRecurringRows,
  recurringResults,
  recurringRows,
  writeRecurringResults,
} from './codec/recurring-rows.ts'
export { type FailedReply, type Refusal, type Reply, readReply, writeReply } from './codec/reply.ts'
export { REPLY_MEDIA_TYPES, type ReplyFormat } from './codec/reply-formats.ts'
export { decodeRequest, encodeRequest, parseRequest, writeRequest } from './codec/request.ts'
export { comparableMessage, issuerFields, issuerMessage } from './codec/three-ds-message.ts'
export { type ControlInput, type ControlTerms, controlTerms, termsOfRequest } from './control/control-terms.ts'
export {
  AuthRejectedError,
  type ExchangeEvidence,
  type GatewayAnswer,
  GatewayError,
  NoReplyError,
  NotSentError,
  RejectedError,
} from './errors/exchange-errors.ts'
export { GATEWAY_CODES, type GatewayCode } from './errors/gateway-codes.ts'
export { isPaymentError, PaymentError } from './errors/is-payment-error.ts'
export {
  describeIssue,
  type FieldIssue,
  InvalidInputError,
  type MalformedForm,
  MalformedFormError,
  type PaymentErrorCode,
  type Retry,
} from './errors/payment-error.ts'
export type { GatewayReply, GatewayRequest } from './http/gateway-exchange.ts'
export type { Extra } from './models/extra.ts'
export type { Field, ModelField, Origin, Requirement } from './models/field.ts'
export type { Format, TextSchema } from './models/format.ts'
export { hidesCharacters } from './models/formats.ts'
export type { Fields, InputOf, Model, Rule, RuleBreach, Shape, ValuesOf } from './models/model.ts'
export { type Parsed, parseModel } from './models/parse-model.ts'
export { type Exponents, exponentOf, fromMinorUnits, toMinorUnits, withoutLastZeros } from './money/minor-units.ts'
export {
  catalogue,
  maskedNumberOf,
  type OperationKey,
  type Operations,
  operationKeys,
  type ReplyValues,
  type RequestInput,
  type RequestValues,
} from './operations/catalogue.ts'
export {
  type Auth,
  type ControlAuth,
  type ControlTerm,
  type Effect,
  fieldsOf,
  type OAuthAuth,
  type OAuthMethod,
  type Operation,
  type OperationOf,
} from './operations/operation.ts'
export { checkOptions, nearestName, rejectUnknownKeys, suggestName } from './options/check-options.ts'
export { missingMethods, type Validator, type Validators, validator } from './options/kind.ts'
export { checkBrand, defineProfile, oauthMethodOf, type Profile } from './profile/profile.ts'
export {
  AsyncCheckoutFormRedirect,
  AsyncResponse,
  ServerErrorResponse,
  ValidationErrorResponse,
} from './replies/async.ts'
export { CardInfoAsyncResponse, CardRefAsyncResponse, CardRefV4AsyncResponse } from './replies/cards.ts'
export {
  CreateRecurringPaymentResponse,
  ProcessRecurringPaymentResponse,
  RecurringPaymentRowsResponse,
} from './replies/recurring.ts'
export { type BankReferences, type Processed, processed, type ReplyFields } from './replies/reply-fields.ts'
export { StatusResponse } from './replies/status.ts'
export type { RequestFields } from './requests/request-fields.ts'
export type { MethodUrlFields } from './requests/three-ds.ts'
export type { Actor, CreatedBy, OrderAction } from './rules/actions.ts'
export {
  type AdvanceEvent,
  type AppendEvent,
  type Applied,
  applyEvent,
  type NewOrder,
  type OrderEvent,
  openOrder,
} from './rules/apply-event.ts'
export type { ActionTerms } from './rules/attempt.ts'
export {
  type ActionAdvice,
  allowedActions,
  type CardAdvice,
  decideAction,
  decideCapture,
  decideChargeback,
  decidePay,
  decideRelease,
  decideReturn,
  decideStoreCard,
  decideVoid,
  type Funding,
  type FundsAdvice,
} from './rules/decide-action.ts'
export type { StateDecision, StateRefusal } from './rules/decision.ts'
export { deriveOrder } from './rules/derive-order.ts'
export type { Fund, Sums, TotalName } from './rules/funds.ts'
export { OPERATION_KINDS, type OpeningKind, type OperationKind, type TransactionType } from './rules/operation-kinds.ts'
export {
  DEFAULT_TIMES,
  type Instant,
  type Order,
  type OrderOperation,
  type OrderTerms,
  type Settlement,
} from './rules/order.ts'
export { changeShown, type OutcomeShown, outcomeShown, type ShownStatus, shownStatus } from './rules/shown-status.ts'
export { type SqlConstraint, type SqlConstraints, sqlColumns, sqlConstraints } from './rules/sql-constraints.ts'
export type { StateRuleSubject } from './rules/state-rule.ts'
export { STATE_RULES, type StateRuleEntry, type StateRuleId } from './rules/state-rules.ts'
export { OPERATION_STATUSES, type OperationStatus, TRANSITIONS } from './rules/transitions.ts'
export { chargeInstant, type LocalTime } from './schedules/calendar.ts'
export { type ChargeDate, chargeDates, nextChargeDate, type Period, type Schedule } from './schedules/charge-dates.ts'
export { maskCardNumbers } from './sensitive/mask-card-numbers.ts'
export { maskSent, withoutSentCvv } from './sensitive/mask-sent.ts'
export { Cvv, Masked, Payload, Secret } from './sensitive/masked.ts'
export { CARD_BRANDS, cardBrand, Pan, WITHOUT_CHECK_DIGIT } from './sensitive/pan.ts'
export { redact, redactSecrets } from './sensitive/redact.ts'
export { type FinalStatus, isFinalStatus, type KnownStatus, STATUSES, type Status } from './statuses.ts'
