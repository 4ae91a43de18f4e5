// What a store of your own implements, and what it stores: an entry of its own, because whoever runs a gateway needs none of it.
export type { Posting } from './ledger/ledger.ts'
export type { StoredOperation, StoredOrder } from './orders/order.ts'
export type { Delivery } from './store/delivery.ts'
export type { GivenUpQuery, OrderQuery, Place } from './store/listing.ts'
export type { RecurringPayment } from './store/recurring-payment.ts'
export type {
  Change,
  ChargeTask,
  Claim,
  Cluster,
  CommitResult,
  Conflict,
  KeyFingerprints,
  OrderChange,
  OrderTask,
  Store,
  Task,
} from './store/store.ts'
export { StoreError } from './store/store-error.ts'
export type { CardReference, SealedCard } from './vault/sealed-card.ts'
