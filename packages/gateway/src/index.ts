export type { GatewayReply, GatewayRequest } from '@tallystick/core/internal'
export type {
  Acquirer,
  AcquirerCard,
  AcquirerDestination,
  AuthenticationResponse,
  Decision,
  OperationRequest,
  PastOperation,
  PaymentOrigin,
  RequestFields,
  Token,
  TokenizationRefused,
  TokenizationRequest,
} from './acquirer/acquirer.ts'
export { type SimulatorOptions, simulator } from './acquirer/simulator.ts'
export type { SendCallback } from './callbacks/callback-answer.ts'
export type { CallbackEvent, DecisionEvent, RequestEvent } from './events.ts'
export type { FaultControl } from './faults/fault-plan.ts'
export { FAULTS, type FaultName, type FaultOptions } from './faults/faults.ts'
export { createGateway, type Gateway } from './gateway.ts'
export type { LimitEvent } from './http/concurrency-limit.ts'
export type { RefusedRequest } from './http/reject.ts'
export { type Listener, type ListenOptions, listen, type StreamedReply } from './http/server.ts'
export type { OrderHistory, OrderSummary, Timeline } from './inspection/history.ts'
export type { GivenUpCallback, OrderFilter, Page } from './inspection/inspection.ts'
export type { EndpointOptions } from './merchants/endpoint.ts'
export type { EndpointGroupOptions, MerchantOptions } from './merchants/merchants.ts'
export type { GatewayOptions } from './options.ts'
export type { AuthenticationRequest } from './orders/order.ts'
export type { FinalDecision } from './processing/record-outcome.ts'
export { createRecording, type Recording } from './recording/recording.ts'
export { type Clock, type Duration, type VirtualClock, virtualClock } from './runtime/clock.ts'
export type { Ids } from './runtime/system.ts'
export { type RecordingPageOptions, recordingPage } from './sandbox/recording-page.ts'
export { createSandbox, type SandboxOptions } from './sandbox/sandbox.ts'
export { memoryStore } from './store/memory/memory-store.ts'
export type { Operator, OperatorRecord } from './store/operator-record.ts'
export { newVaultKeys, readVaultKeys, type VaultKeys } from './vault/keys.ts'
export { VaultError } from './vault/vault.ts'
