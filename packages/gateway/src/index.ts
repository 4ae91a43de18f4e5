export type { GatewayReply, GatewayRequest } from '@tallystick/core'
export type {
  Acquirer,
  AcquirerCard,
  AcquirerDestination,
  AuthenticationResult,
  BrowserAddresses,
  Decision,
  Instruction,
  Instrument,
  Particulars,
  PastOperation,
  PaymentOrigin,
  Preparation,
  PreparationRefused,
  Prepared,
} from './acquirer/acquirer.ts'
export type { SimulatedAuthentication } from './acquirer/simulated-authentication.ts'
export { type SimulatorOptions, simulator } from './acquirer/simulator.ts'
export type { CallbackAnswer, SendCallback } from './callbacks/callback-answer.ts'
export type { Chaos, ChaosList } from './faults/fault-control.ts'
export { FAULTS, type Fault, type FaultName, type FaultPlace } from './faults/faults.ts'
export type { ChaosOptions } from './faults/seeded-fault.ts'
export { createGateway, type Gateway } from './gateway.ts'
export type { UnreadRequest } from './http/reject.ts'
export { type Listener, type ListenOptions, listen } from './http/server.ts'
export type { OrderHistory, OrderSummary } from './inspection/history.ts'
export type {
  GivenUpCallback,
  Inspection,
  Listed,
  OrdersFilter,
  Page,
  PageFilter,
} from './inspection/inspection.ts'
export type { OrderFilter, SandboxAccess } from './inspection/sandbox-access.ts'
export type { Timeline } from './inspection/timeline.ts'
export {
  type RotationCounts,
  type RotationOptions,
  type RotationResult,
  rotateCards,
} from './key-rotation/rotate-cards.ts'
export type { Account, Posting } from './ledger/postings.ts'
export type { ChargeTimeOptions } from './merchants/charge-time.ts'
export type { EndpointOptions } from './merchants/endpoint.ts'
export type { EndpointGroupOptions } from './merchants/endpoint-group.ts'
export type { MerchantKeyOptions } from './merchants/merchant.ts'
export type { MerchantOptions } from './merchants/merchants.ts'
export type {
  Answered,
  Called,
  Decided,
  GatewayOptions,
  LimitReached,
  RefusedAnswer,
  RefusedRequest,
} from './options.ts'
export type {
  AuthenticationRequest,
  AuthenticationStep,
  BankReferences,
  BroughtResult,
  HostedForm,
  Initiator,
  MethodCompletion,
  OperationOutcome,
  OrderAddresses,
  OrderCard,
  OrderDestination,
  OrderDetails,
  OrderOrigin,
  OrderPages,
  OrderPayer,
  PastPayment,
  StoredOperation,
  StoredOrder,
} from './orders/order.ts'
export type { Chargeback } from './processing/chargeback.ts'
export type { FinalDecision, RecordedOutcome } from './processing/record-outcome.ts'
export { likelyUrls } from './requests/candidate-urls.ts'
export { type ControlledRequest, controlEvidence } from './requests/control-evidence.ts'
export { advancingClock, type Clock, type ClockTask, type VirtualClock, virtualClock } from './runtime/clock.ts'
export type { Duration } from './runtime/duration.ts'
export type { FillRandomly } from './runtime/random-source.ts'
export type { Ids } from './runtime/system.ts'
export { createSandbox, type SandboxOptions } from './sandbox/sandbox.ts'
export type { LeftOperation, Sharing } from './store/cluster.ts'
export type { Delivery, DeliveryState } from './store/delivery.ts'
export type { KeyCheck } from './store/key-checks.ts'
export type { KeyNotes } from './store/key-fingerprints.ts'
export type { GivenUpPage, GivenUpQuery, Listings, OrderPage, OrderQuery, Place, Span } from './store/listing.ts'
export { memoryStore } from './store/memory/memory-store.ts'
export type { Operator, OperatorRecord, RecordFilter } from './store/operator-record.ts'
export type { RecurringAmount, RecurringPayment } from './store/recurring-payment.ts'
export type { Change, Claim, Committed, Conflict, OrderChange, OrderNames, Store } from './store/store.ts'
export type { ChargeTask, OrderTask, Task } from './store/task.ts'
export type { CardReference, SealedCard } from './vault/sealed-card.ts'
export { type CardToSeal, createVault, type Vault, type VaultOptions } from './vault/vault.ts'
export { VaultError, type VaultErrorCode } from './vault/vault-error.ts'
export { newVaultKeys, readVaultKeys, type VaultKeys } from './vault/vault-keys.ts'
