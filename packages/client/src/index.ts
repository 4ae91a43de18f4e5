export { rawReplyOf } from './call/errors.ts'
export {
  type CallbackHandlerOptions,
  createCallbackHandler,
  type FirstOutcome,
  type InboxHandlerOptions,
  type PaymentNotice,
  type PaymentOutcome,
} from './callbacks/callback-handler.ts'
export { type GatewayHandle, readGatewayRequest, sendGatewayReply, toFetchHandler } from './callbacks/fetch.ts'
export { type Handler, HandlerError, type Inbound, type Outbound, redirectTo } from './callbacks/handler.ts'
export { readInbound } from './callbacks/inbound.ts'
export {
  type ClientReturnOptions,
  createBrowserReturnHandler,
  type JournalReturnOptions,
  type ReturnedOrder,
} from './callbacks/return-handler.ts'
export { createPaymentClient } from './client.ts'
export { type Credentials, merchantCredentials } from './credentials.ts'
export { type Alarm, type CallEnded, type CallStarted, DIAGNOSTICS } from './diagnostics.ts'
export { type PayOutOptions, type PayOutResult, payOutInSteps } from './flows/payout.ts'
export { previewCharges, rebillOrderId } from './flows/schedule.ts'
export { type StoredCard, storeCard } from './flows/stored-cards.ts'
export type { PaymentClientOptions } from './options.ts'
export type { OrderRef, Outcome, StatusPoll } from './outcomes/outcome.ts'
export type { PaymentClient } from './payment-client.ts'
export type {
  Accepted,
  CallOptions,
  NotSent,
  OperationResult,
  Rejected,
  ResultOf,
  Unknown,
  WaitOptions,
} from './result.ts'
export type { Clock } from './runtime/system.ts'
export { BROWSER_SCRIPT, browserInfo } from './three-ds/browser.ts'
export {
  createThreeDsReturnHandler,
  type ReturnedOutcome,
  type ThreeDsReturnOptions,
} from './three-ds/return-handler.ts'
export type { AuthenticationResult, PageTexts, ThreeDsStep } from './three-ds/three-ds.ts'
export type { Exchange, OutgoingRequest, Transport, TransportOptions } from './transport/transport.ts'
export { type UndiciTransportOptions, undiciTransport } from './transport/undici-transport.ts'
