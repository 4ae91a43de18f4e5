/**
 * What the other packages of tallystick need of this one. No part of the public interface: it may change in any release, so a package
 * depends on exactly its own version.
 */
export { type EndpointAddress, endpointAddress, isEndpointId, matchPath, type Route } from './addresses/paths.ts'
export { type CallbackFields, CallbackNotice, callbackQueryIssue } from './callbacks/callback.ts'
export { callbackDecides, writeCallback } from './callbacks/codec.ts'
export { type FormLimits, parseOpenForm, REQUEST_LIMITS, singleValues } from './codec/form.ts'
export {
  type ReadRow,
  type RecurringResult,
  ROW_OPERATIONS,
  type RowOperation,
  type RowsKey,
  readRecurringRows,
  writeRecurringResults,
} from './codec/recurring-rows.ts'
export { type FailedReply, type RefusalFields, type Reply, writeReply } from './codec/reply.ts'
export { REPLY_MEDIA_TYPES, type ReplyFormat } from './codec/reply-formats.ts'
export { writeRequest } from './codec/request.ts'
export { comparableMessage, issuerFields, issuerMessage } from './codec/three-ds-message.ts'
export { type ControlInput, type ControlTerms, termsOfRequest } from './control/control-terms.ts'
export { ERRORS_URL, type ErrorPage, errorUrl } from './errors/error-page.ts'
export type { ExchangeEvidence, GatewayAnswer } from './errors/exchange-errors.ts'
export { GATEWAY_CODES, type GatewayCode } from './errors/gateway-codes.ts'
export { describeIssue, type FieldIssue, type MalformedForm, type Retry } from './errors/payment-error.ts'
export type { GatewayReply, GatewayRequest } from './http/gateway-exchange.ts'
export type { Extra } from './models/extra.ts'
export type { Field, ModelField, Origin, Requirement } from './models/field.ts'
export type { Format, TextSchema } from './models/format.ts'
export { hidesCharacters } from './models/formats.ts'
export type { Fields, InputOf, Rule, RuleBreach, Shape, ValuesOf } from './models/model.ts'
export { type Parsed, parseModel } from './models/parse-model.ts'
export { exponentOf, withoutLastZeros } from './money/minor-units.ts'
export { maskedNumberOf, type RequestValues } from './operations/catalogue.ts'
export {
  type Auth,
  type ControlAuth,
  type ControlTerm,
  type Effect,
  fieldsOf,
  type OAuthAuth,
  type OperationOf,
} from './operations/operation.ts'
export { checkOptions, nearestName, rejectUnknownKeys, suggestName } from './options/check-options.ts'
export { missingMethods, type Validator, type Validators, validator } from './options/kind.ts'
export { checkBrand, oauthMethodOf } from './profile/profile.ts'
export { readNewEvents, recordedLine, recordingInPage } from './recording/ndjson.ts'
export { isAboutOrder, type OrderSteps, orderSteps } from './recording/order-steps.ts'
export type { CallbackTrial, Decide, WorkbenchDecision } from './recording/recorded-event.ts'
export {
  AsyncCheckoutFormRedirect,
  AsyncResponse,
  ServerErrorResponse,
  ValidationErrorResponse,
} from './replies/async.ts'
export { ProcessRecurringPaymentResponse, RecurringPaymentRowsResponse } from './replies/recurring.ts'
export { type BankReferences, type Processed, processed, type ReplyFields } from './replies/reply-fields.ts'
export { StatusResponse } from './replies/status.ts'
export type { RequestFields } from './requests/request-fields.ts'
export type { MethodUrlFields } from './requests/three-ds.ts'
export { type Actor, type CreatedBy, ORDER_ACTIONS, type OrderAction } from './rules/actions.ts'
export {
  type AdvanceEvent,
  type AppendEvent,
  type Applied,
  applyEvent,
  type NewOrder,
  type OrderEvent,
  openOrder,
} from './rules/apply-event.ts'
export type { CardAdvice, Funding, FundsAdvice } from './rules/decide-action.ts'
export type { StateDecision, StateRefusal } from './rules/decision.ts'
export type { Fund, Sums, TotalName } from './rules/funds.ts'
export type { OpeningKind, TransactionType } from './rules/operation-kinds.ts'
export type { Instant, Settlement } from './rules/order.ts'
export { changeShown, type OutcomeShown, outcomeShown, type ShownStatus, shownStatus } from './rules/shown-status.ts'
export { overdrawn, sqlColumnNames, sqlColumns, sqlConstraints } from './rules/sql-constraints.ts'
export { STATE_RULES, type StateRuleId } from './rules/state-rules.ts'
export { TRANSITIONS } from './rules/transitions.ts'
export { chargeInstant, type LocalTime } from './schedules/calendar.ts'
export { type ChargeDate, chargeDates, nextChargeDate, type Period, type Schedule } from './schedules/charge-dates.ts'
export { maskSent, withoutSentCvv } from './sensitive/mask-sent.ts'
export { Masked, Payload } from './sensitive/masked.ts'
export { CARD_BRANDS, cardBrand, WITHOUT_CHECK_DIGIT } from './sensitive/pan.ts'
export { redactSecrets } from './sensitive/redact.ts'
export { type KnownStatus, STATUSES } from './statuses.ts'
