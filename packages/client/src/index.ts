export {
  type CallbackHandlerOptions,
  createCallbackHandler,
  type PaymentOutcome,
} from './callbacks/callback-handler.ts'
export type { Handler, Inbound, Outbound } from './callbacks/exchange.ts'
export { type NodeRequest, readInbound } from './callbacks/read-inbound.ts'
export { createPaymentClient, type OperationMethods, type PaymentClient } from './client.ts'
export type { PaymentClientOptions } from './options.ts'
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
} from './result.ts'
export type { Clock } from './rims/system.ts'
export { type UndiciTransportOptions, undiciTransport } from './rims/undici-transport.ts'
export type { Exchange, OutgoingRequest, Transport, TransportOptions } from './transport.ts'
