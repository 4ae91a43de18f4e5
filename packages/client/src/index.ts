export { rawReplyOf } from './call/errors.ts'
export { createCallbackHandler, type PaymentNotice, type PaymentOutcome } from './callbacks/callback-handler.ts'
export { toFetchHandler } from './callbacks/fetch.ts'
export { type Handler, HandlerError, type Inbound, type Outbound, redirectTo } from './callbacks/handler.ts'
export { readInbound } from './callbacks/inbound.ts'
export { createBrowserReturnHandler, type ReturnedOrder } from './callbacks/return-handler.ts'
export { createPaymentClient } from './client.ts'
export { type Credentials, merchantCredentials } from './credentials.ts'
export { type Alarm, type CallEnded, type CallStarted, DIAGNOSTICS } from './diagnostics.ts'
export { type PayoutInStepsResult, payoutInSteps } from './flows/payout.ts'
export { previewCharges, rebillOrderId } from './flows/schedule.ts'
export { type StoredCard, storeCard } from './flows/stored-cards.ts'
export type { PaymentClientOptions } from './options.ts'
export type { OrderRef, Outcome, StatusPoll } from './outcomes/outcome.ts'
export type { PaymentClient } from './payment-client.ts'
export { type SandboxRecorder, sandboxRecorder } from './recording/sandbox-recorder.ts'
export type {
  Accepted,
  CallOptions,
  NotSent,
  OperationResult,
  Rejected,
  ResultOf,
  Unknown,
} from './result.ts'
export type { Clock } from './runtime/system.ts'
export { BROWSER_SCRIPT, browserInfo } from './three-ds/browser.ts'
export { createThreeDsReturnHandler, type ReturnedOutcome } from './three-ds/return-handler.ts'
export type { AuthenticationResult, ThreeDsStep } from './three-ds/three-ds.ts'
export type { Exchange, OutgoingRequest, Transport } from './transport/transport.ts'
export { type UndiciTransportOptions, undiciTransport } from './transport/undici-transport.ts'
