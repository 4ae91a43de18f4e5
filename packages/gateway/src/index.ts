export type { GatewayReply, GatewayRequest } from '@tallystick/core'
export type {
  Acquirer,
  AcquirerCard,
  AcquirerDestination,
  AuthenticationResult,
  BrowserAddresses,
  Decision,
  OperationRequest,
  PastOperation,
  PaymentMethod,
  PaymentOrigin,
  RequestFields,
  Token,
  TokenizationRefused,
  TokenizationRequest,
} from './acquirer/acquirer.ts'
export { type SimulatedAuthentication, type SimulatorOptions, simulator } from './acquirer/simulator.ts'
export type { CallbackAnswer, SendCallback } from './callbacks/callback-answer.ts'
export type { CallbackEvent, DecisionEvent, RefusedAnswer, RequestEvent } from './events.ts'
export type { FaultControl, FaultList } from './faults/fault-plan.ts'
export { FAULTS, type Fault, type FaultName, type FaultOptions, type FaultPlace } from './faults/faults.ts'
export { createGateway, type Gateway } from './gateway.ts'
export type { LimitReached } from './http/concurrency-limit.ts'
export type { RefusedRequest, UnreadRequest } from './http/reject.ts'
export { type Listener, type ListenOptions, listen } from './http/server.ts'
export type { OrderHistory, OrderSummary, Timeline } from './inspection/history.ts'
export type { GivenUpCallback, Inspection, Listed, OrdersFilter, Page, PageFilter } from './inspection/inspection.ts'
export type { OrderFilter, SandboxAccess } from './inspection/sandbox-access.ts'
export {
  type RotationCounts,
  type RotationOptions,
  type RotationResult,
  rotateCards,
} from './key-rotation/rotate-cards.ts'
export type { EndpointOptions } from './merchants/endpoint.ts'
export type { ChargeTimeOptions } from './merchants/endpoint-settings.ts'
export type { EndpointGroupOptions, MerchantKeyOptions, MerchantOptions } from './merchants/merchants.ts'
export type { GatewayOptions } from './options.ts'
export type {
  AuthenticationRequest,
  AuthenticationStep,
  BankReferences,
  Initiator,
  PastPayment,
} from './orders/order.ts'
export type { Chargeback, FinalDecision, RecordedOutcome } from './processing/record-outcome.ts'
export { type ControlledRequest, candidateUrls, controlEvidence } from './requests/explain-refusal.ts'
export {
  advancingClock,
  type Clock,
  type ClockTask,
  type Duration,
  type VirtualClock,
  virtualClock,
} from './runtime/clock.ts'
export type { Ids, RandomFill } from './runtime/system.ts'
export { createSandbox, type SandboxOptions } from './sandbox/sandbox.ts'
export { memoryStore } from './store/memory/memory-store.ts'
export type { Operator, OperatorRecord, RecordFilter } from './store/operator-record.ts'
export { newVaultKeys, readVaultKeys, type VaultKeys } from './vault/keys.ts'
export {
  type CardToSeal,
  createVault,
  type Vault,
  VaultError,
  type VaultErrorCode,
  type VaultOptions,
} from './vault/vault.ts'
