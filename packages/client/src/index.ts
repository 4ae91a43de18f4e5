export { newClientOrderId } from './call/client-order-id.ts'
export { type RawReply, rawReplyOf } from './call/errors.ts'
export { saysNoSuchOrder } from './call/refusals.ts'
export {
  type CallbackHandlerOptions,
  createCallbackHandler,
  type FirstOutcome,
  type InboxHandlerOptions,
  type PaymentNotice,
  type PaymentOutcome,
} from './callbacks/callback-handler.ts'
export {
  type GatewayHandle,
  type NodeGatewayRequest,
  readGatewayRequest,
  sendGatewayReply,
  toFetchHandler,
} from './callbacks/fetch.ts'
export {
  type Handler,
  HandlerError,
  type HandlerErrorCode,
  type HeaderValues,
  type Inbound,
  type Outbound,
  redirectTo,
} from './callbacks/handler.ts'
export { type NodeRequest, type RequestBody, readInbound } from './callbacks/inbound.ts'
export {
  type ClientReturnOptions,
  createBrowserReturnHandler,
  type JournalReturnOptions,
  type ReturnedOrder,
  readBrowserReturn,
} from './callbacks/return-handler.ts'
export type { CredentialCheck } from './check-credentials.ts'
export { createPaymentClient } from './client.ts'
export { type CredentialOptions, type Credentials, merchantCredentials } from './credentials.ts'
export { type Alarm, type CallEnded, type CallStarted, DIAGNOSTICS } from './diagnostics.ts'
export {
  type CheckedPayout,
  type PayOutOptions,
  type PayoutInSteps,
  payOutInSteps,
} from './flows/payout.ts'
export { previewCharges, rebillOrderId, type ScheduleInput } from './flows/schedule.ts'
export { type StoredCard, storeCard } from './flows/stored-cards.ts'
export type { OperationMethods } from './methods.ts'
export type { PaymentClientOptions } from './options.ts'
export type { OrderRef, Outcome, StatusPoll } from './outcomes/outcome.ts'
export { LEAST_WAIT_MS, pollInterval } from './outcomes/poll.ts'
export type { PaymentClient } from './payment-client.ts'
export type { CallbackInbox, ReceivedCallback } from './ports/callback-inbox.ts'
export {
  type Evidence,
  INTENT_STATES,
  type Intent,
  type IntentEndpoint,
  type IntentKind,
  type IntentState,
  type JournalOutcome,
  type NewOutcome,
  type Observation,
  type OperationOutcome,
  type OrderNotice,
  type ReviewReason,
} from './ports/intent.ts'
export type {
  DeliveryResult,
  DueWindow,
  InboxEntry,
  InsertResult,
  IntentChange,
  IntentClaim,
  IntentConflict,
  IntentRenewal,
  JournalStore,
  NamedOrders,
  OpenOutcome,
  OrphanChange,
  OrphanClaim,
  OrphanOrder,
  OrphanTerms,
  StateCounts,
  StoredOutcome,
} from './ports/journal-store.ts'
export type {
  Accepted,
  CallOptions,
  NotSent,
  OperationResult,
  Rejected,
  ResolveOptions,
  ResultOf,
  Unknown,
  UnknownWithoutStatus,
  WaitOptions,
} from './result.ts'
export type { Clock } from './runtime/system.ts'
export { BROWSER_SCRIPT, type BrowserInfo, type BrowserSource, browserInfo } from './three-ds/browser.ts'
export type { PageOptions, PageTexts } from './three-ds/page.ts'
export {
  createThreeDsReturnHandler,
  type ReturnedOutcome,
  type ThreeDsReturnOptions,
} from './three-ds/return-handler.ts'
export type {
  AuthenticateOptions,
  AuthenticationResult,
  ThreeDs,
  ThreeDsOptions,
  ThreeDsStep,
  UploadResult,
} from './three-ds/three-ds.ts'
export type { Exchange, OutgoingRequest, Transport, TransportOptions } from './transport/transport.ts'
export { type UndiciTransportOptions, undiciTransport } from './transport/undici-transport.ts'
