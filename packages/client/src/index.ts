export {
  type CallbackHandlerOptions,
  createCallbackHandler,
  type PaymentOutcome,
} from './callbacks/callback-handler.ts'
export type { Handler, Inbound, Outbound } from './callbacks/exchange.ts'
export { type NodeRequest, readInbound } from './callbacks/read-inbound.ts'
export { toFetchHandler } from './callbacks/to-fetch-handler.ts'
export { createPaymentClient, type OperationMethods, type PaymentClient } from './client.ts'
export { newClientOrderId } from './client-order-id.ts'
export { type CredentialOptions, type Credentials, merchantCredentials } from './credentials.ts'
export { type CallEnded, type CallStarted, DIAGNOSTICS } from './diagnostics.ts'
export type { PaymentClientOptions } from './options.ts'
export type { Look, Outcome, WaitedOrder } from './outcomes/outcome.ts'
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
export type { Clock } from './rims/system.ts'
export { type UndiciTransportOptions, undiciTransport } from './rims/undici-transport.ts'
export type { Exchange, OutgoingRequest, Transport, TransportOptions } from './transport.ts'
