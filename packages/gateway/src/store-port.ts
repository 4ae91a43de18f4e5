// What a store of your own implements, and what it stores: an entry of its own, because whoever runs a gateway needs none of it.
export type { Account, Posting } from './ledger/ledger.ts'
export type {
  HostedForm,
  MethodCompletion,
  OperationOutcome,
  OrderAddresses,
  OrderCard,
  OrderDestination,
  OrderDetails,
  OrderOrigin,
  OrderPages,
  OrderPayer,
  StoredOperation,
  StoredOrder,
  SubmittedResult,
} from './orders/order.ts'
export type { Delivery, DeliveryState } from './store/delivery.ts'
export type { GivenUpPage, GivenUpQuery, Listings, OrderPage, OrderQuery, Place, Span } from './store/listing.ts'
export type { RecurringAmount, RecurringPayment } from './store/recurring-payment.ts'
export type {
  AbandonedOperation,
  Change,
  ChargeTask,
  Claim,
  Cluster,
  Committed,
  Conflict,
  KeyCheck,
  KeyFingerprints,
  OrderChange,
  OrderNames,
  OrderTask,
  Store,
  Task,
} from './store/store.ts'
export { StoreError, type StoreErrorCode } from './store/store-error.ts'
export type { CardReference, SealedCard } from './vault/sealed-card.ts'
