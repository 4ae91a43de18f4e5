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
export type { Delivery, DeliveryState } from './callbacks/delivery.ts'
export type { CallbackAnswer, SendCallback } from './callbacks/send-callback.ts'
export type { Chaos, ChaosList } from './chaos/chaos.ts'
export type { ChaosOptions } from './chaos/draw-fault.ts'
export { FAULTS, type Fault, type FaultName, type FaultPlace } from './chaos/faults.ts'
export { advancingClock, type Clock, type ClockTask, type VirtualClock, virtualClock } from './clock.ts'
export type { Duration } from './duration.ts'
export type { Chargeback } from './flow/chargeback.ts'
export type { FinalDecision, RecordedOutcome } from './flow/record-outcome.ts'
export { createGateway, type Gateway } from './gateway.ts'
export type { OrderHistory, OrderSummary } from './inspection/history.ts'
export type {
  GivenUpCallback,
  Inspection,
  Listed,
  OrdersFilter,
  Page,
  PageFilter,
} from './inspection/inspection.ts'
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
export { type Listener, type ListenOptions, listen } from './rims/listen.ts'
export type { UnreadRequest } from './rims/refuse-unread.ts'
export type { Ids } from './rims/system.ts'
export { createSandbox, type SandboxOptions } from './sandbox/sandbox.ts'
export type { OrderFilter, SandboxAccess } from './sandbox/sandbox-access.ts'
export type { Timeline } from './sandbox/timeline.ts'
export type { KeyNotes } from './store/key-notes.ts'
export type { GivenUpPage, GivenUpQuery, Listings, OrderPage, OrderQuery, Place, Span } from './store/listing.ts'
export { memoryStore } from './store/memory/memory-store.ts'
export type { Operator, OperatorRecord, RecordFilter } from './store/operator-record.ts'
export type { RecurringAmount, RecurringPayment } from './store/recurring-payment.ts'
export type { LeftOperation, Sharing } from './store/sharing.ts'
export type { Change, Claim, Committed, Conflict, OrderChange, OrderNames, Store } from './store/store.ts'
export type { ChargeTask, OrderTask, Task } from './store/task.ts'
export type { KeyCheck } from './vault/key-checks.ts'
export type { FillRandomly } from './vault/randomness.ts'
export { type RotationCounts, type RotationOptions, type RotationResult, rotateCards } from './vault/rotate-cards.ts'
export type { CardReference, SealedCard } from './vault/sealed-card.ts'
export { type CardToSeal, createVault, type Vault, type VaultOptions } from './vault/vault.ts'
export { VaultError, type VaultErrorCode } from './vault/vault-error.ts'
export { newVaultKeys, readVaultKeys, type VaultKeys } from './vault/vault-keys.ts'
export { type ControlledRequest, controlEvidence } from './verification/control-evidence.ts'
export { likelyUrls } from './verification/likely-urls.ts'
