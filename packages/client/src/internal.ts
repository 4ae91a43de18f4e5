/**
 * What the other packages of tallystick need of this one. No part of the public interface: it may change in any release, so a package
 * depends on exactly its own version.
 */
export { saysNoSuchOrder } from './call/refusals.ts'
export type { CallbackHandlerOptions, InboxHandlerOptions } from './callbacks/callback-handler.ts'
export { type FastifyReplyParts, type FastifyRequestParts, fromFastify, sendByFastify } from './callbacks/fastify.ts'
export { type GatewayHandle, readGatewayRequest, sendGatewayReply } from './callbacks/fetch.ts'
export { readBody } from './callbacks/inbound.ts'
export type { ClientReturnOptions, JournalReturnOptions } from './callbacks/return-handler.ts'
export { LEAST_WAIT_MS, pollInterval } from './outcomes/poll.ts'
export type { Evidence, IntentEndpoint, IntentKind } from './ports/intent.ts'
export type {
  DeliveryResult,
  DueWindow,
  InsertResult,
  IntentConflict,
  IntentRenewal,
  NamedOrders,
  OpenOutcome,
  OrphanTerms,
  StateCounts,
} from './ports/journal-store.ts'
export type { ThreeDsReturnOptions } from './three-ds/return-handler.ts'
export type { TransportOptions } from './transport/transport.ts'
