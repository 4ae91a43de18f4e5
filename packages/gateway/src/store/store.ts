import type { BurnableNonce } from '@tallystick/signing'
import type { Attempted, Delivery } from '../callbacks/delivery.ts'
import type { Posting } from '../ledger/postings.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { CardReference, SealedCard } from '../vault/sealed-card.ts'
import type { KeyNotes } from './key-notes.ts'
import type { RecurringPayment } from './recurring-payment.ts'
import type { Sharing } from './sharing.ts'
import type { OrderTask, Task } from './task.ts'

/** How a merchant names an order: by its own id and, where they are given, the gateway's and a request's. */
export interface OrderNames {
  readonly login: string
  readonly clientOrderId: string
  readonly orderId?: string | undefined
  /** Of the request that made the order or one of its operations. */
  readonly serialNumber?: string | undefined
}

/**
 * What is written at once, or not at all. A decision is made on what was read; the change says what that was, and the
 * store refuses it when it is so no longer.
 */
export interface Change {
  /** Burned with the rest. Unique for consumer and timestamp. */
  readonly nonce?: BurnableNonce | undefined
  readonly order?: OrderChange | undefined
  readonly postings?: readonly Posting[] | undefined
  /** New ones, and those that are to be sent again: a delivery replaces the one of its id. */
  readonly deliveries?: readonly Delivery[] | undefined
  /**
   * Deliveries that were claimed and went on. Each is written if that claim still holds, else left as it is, which is no
   * conflict: somebody else has it in hand, has ended it, or has it sent again.
   */
  readonly attempts?: readonly Attempted[] | undefined
  /** New ones, and those that were put off: a task replaces the one of its id. */
  readonly tasks?: readonly Task[] | undefined
  /** Tasks that are done, by id. */
  readonly doneTasks?: readonly string[] | undefined
  /** Added unless the merchant has the same card already (same `cardId`). */
  readonly cards?: readonly SealedCard[] | undefined
  /** Added unless there is one of this id. */
  readonly references?: readonly CardReference[] | undefined
  readonly recurringPayment?: RecurringPayment | undefined
}

export interface OrderChange {
  /** The order as it is afterwards. */
  readonly order: StoredOrder
  /** What the decision was made on: no order, or the order at this version. */
  readonly basedOn: 'nothing' | number
  /** Whether the merchant may use a client order id again (gaps part 13, a compatibility option). Default `false`. */
  readonly repeatsAllowed?: boolean | undefined
}

/**
 * Why a change was not written. Nothing of it was. Of several, an `order` or what its names meet is told first, then a
 * recurring payment, the nonce last.
 */
export type Conflict =
  /**
   * The nonce was used before, or its timestamp is more than 300 s from `now` or from the latest time that the store has
   * seen: a clock that is set back makes it refuse.
   */
  | 'nonce'
  /** The merchant has an order of this client order id. */
  | 'client-order-id'
  /** The merchant has an order that was signed with the same control. */
  | 'control'
  /** There is an order of this id, or the order went on since it was read. */
  | 'order'
  /** The merchant has a recurring payment of this client order id. */
  | 'recurring-payment'

export type Committed = { readonly ok: true } | { readonly ok: false; readonly conflict: Conflict }

/**
 * Deliveries or tasks to take: due at `now`, oldest first; they are due again at `until`, which they then say, unless a
 * change says otherwise.
 */
export interface Claim {
  readonly now: number
  readonly until: number
  readonly limit: number
}

/**
 * Where the gateway keeps everything; nothing is kept elsewhere. What `commit` has answered is durable, and what it
 * has not written at all is not there in part.
 */
export interface Store {
  /** Whether what it keeps outlives the process. */
  readonly durable: boolean
  /** Of a store that several processes write to at once. Absent: this process has it for itself. */
  readonly sharing?: Sharing | undefined
  /** Of a store that outlives the process: its cards want the same keys again. */
  readonly keyNotes?: KeyNotes | undefined
  /**
   * @param now Milliseconds since 1970.
   * @throws when the change is one that no decision makes, or could not be written: then nothing of it is
   */
  commit(change: Change, now: number): Promise<Committed>
  /** The merchant's order. Where client order ids repeat, the youngest. */
  findOrder(names: OrderNames): Promise<StoredOrder | undefined>
  orderById(orderId: string): Promise<StoredOrder | undefined>
  /** The order whose hosted page has this token. */
  orderByPageToken(token: string): Promise<StoredOrder | undefined>
  /** Ids of orders with an operation that was sent, has no outcome, and came to that status before `before`. */
  sentOrders(before: number, limit: number): Promise<readonly string[]>
  /** By time, operation and account. */
  postingsOf(orderId: string): Promise<readonly Posting[]>
  /** Oldest first. */
  deliveriesOf(orderId: string): Promise<readonly Delivery[]>
  /** Of an order, by when they are due. */
  tasksOf(orderId: string): Promise<readonly OrderTask[]>
  claimDeliveries(claim: Claim): Promise<readonly Delivery[]>
  claimTasks(claim: Claim): Promise<readonly Task[]>
  /** When the next delivery or task is due. */
  nextDueAt(): Promise<number | undefined>
  card(cardId: string): Promise<SealedCard | undefined>
  /** A merchant's reference of a stored card. */
  cardReference(login: string, referenceId: string): Promise<CardReference | undefined>
  /** Cards whose data key is wrapped by another key than this, from `after` on, in the order of their ids. */
  cardsNotUnder(keyId: string, after: string, limit: number): Promise<readonly SealedCard[]>
  /** Replaces a card's wrapping, if it still has the one that was read. */
  rewrapCard(card: SealedCard, from: SealedCard): Promise<boolean>
  recurringPayment(login: string, clientOrderId: string): Promise<RecurringPayment | undefined>
  recurringPaymentById(recurringPaymentId: string): Promise<RecurringPayment | undefined>
  /** The merchant's orders that were changed last by the `now` of their changes, youngest first. */
  recentOrders(login: string, limit: number): Promise<readonly StoredOrder[]>
  /** Forgets everything, also which nonces were used: for test environments. */
  reset(): Promise<void>
  /** Whether it can be written to now. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}
