import type { OAuthNonce } from '@tallystick/signing/internal'
import type { Posting } from '../ledger/ledger.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { CardReference, SealedCard } from '../vault/sealed-card.ts'
import type { Attempted, Delivery } from './delivery.ts'
import type { Listings } from './listing.ts'
import type { OperatorRecord, RecordFilter } from './operator-record.ts'
import type { RecurringPayment } from './recurring-payment.ts'

/** How a merchant names an order: by the merchant's id and, if given, also the gateway's id and a request's serial number. */
export interface OrderNames {
  readonly login: string
  readonly clientOrderId: string
  readonly orderId?: string | undefined
  /** Of the request that created the order or one of its operations. */
  readonly serialNumber?: string | undefined
}

/**
 * What is written as a whole or not at all. A decision rests on what was read: the change says what that was, and the store
 * refuses the change if that is no longer so.
 */
export interface Change {
  /** Consumed with the rest. Unique per consumer and timestamp. */
  readonly nonce?: OAuthNonce | undefined
  readonly order?: OrderChange | undefined
  readonly postings?: readonly Posting[] | undefined
  /** New deliveries, and those to send again: a delivery replaces the one with its id. */
  readonly deliveries?: readonly Delivery[] | undefined
  /** Whether this process claims the deliveries as it writes them: they are due again when the claim ends, and nobody else has them. */
  readonly claimsDeliveries?: boolean | undefined
  /**
   * Claimed deliveries after an attempt. Each is written only if its claim still holds. Otherwise it stays as it is, which
   * is no conflict: something else is attempting it, has ended it, or has it sent again.
   */
  readonly attempts?: readonly Attempted[] | undefined
  /** New tasks, and postponed ones: a task replaces the one with its id. */
  readonly tasks?: readonly Task[] | undefined
  /** Tasks that are done, by id. */
  readonly doneTasks?: readonly string[] | undefined
  /** Added unless the merchant has the same card already (same `cardId`). */
  readonly cards?: readonly SealedCard[] | undefined
  /** Added unless there is one with this id. */
  readonly references?: readonly CardReference[] | undefined
  /** A new one has version 1. A changed one replaces the version before it. */
  readonly recurringPayment?: RecurringPayment | undefined
  /** Operations of the order whose status the change writes, by id: not stored, but told to the operator's listener. */
  readonly decided?: readonly string[] | undefined
  /** What a person had done: added only, whatever the rest is about. */
  readonly records?: readonly OperatorRecord[] | undefined
}

/** What one step writes about an order. */
export interface OrderChange {
  /** The order as it is afterwards. */
  readonly order: StoredOrder
  /** What the decision was made on: no order, or the order at this version. */
  readonly basedOn: 'nothing' | number
  /** Whether the merchant may use a client order id again (gaps part 13, a compatibility option). Default `false`. */
  readonly repeatsAllowed?: boolean | undefined
}

/**
 * Why a change was not written. Nothing of it was. Of several conflicts one is reported: first those of the order and its
 * names, then that of a recurring payment, the nonce last.
 */
export type Conflict =
  /**
   * The nonce was used before, or its timestamp is more than 300 s from `now` or from the latest time that the store has
   * seen, so that a clock which is set back makes the store refuse.
   */
  | 'nonce'
  /** The merchant has an order with this client order id. */
  | 'client-order-id'
  /** The merchant has an order that was signed with the same control. */
  | 'control'
  /** There is an order with this id, or the order has changed since it was read. */
  | 'order'
  /** The merchant has a recurring payment with this client order id, or the payment has changed since it was read. */
  | 'recurring-payment'

/** Whether a change was written; if not, what stands in its way. */
export type CommitResult = { readonly ok: true } | { readonly ok: false; readonly conflict: Conflict }

/**
 * Which deliveries or tasks to take: those due at `now`, oldest first. Their `dueAt` becomes `until`: they are due again
 * then, unless a change says otherwise.
 */
export interface Claim {
  readonly now: number
  readonly until: number
  readonly limit: number
}

/** How far ahead something may be due. */
export interface DueLimits {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Before the clock was set back. What a task should have been by then, or was claimed or put off for, it is now. */
  readonly believed: number
  /** How long a claim lasts. */
  readonly leaseMs: number
  /** By how often a delivery was sent; the last is for all above. */
  readonly deliveryWaits: readonly number[]
  /** Of a look-up, and of what is tried again, by how often it was tried. */
  readonly tryWaits: readonly number[]
  /** Of other work on an order, which is due now if it lies further ahead: it finds its time again itself. */
  readonly longestMs: number
}

/**
 * Where the gateway keeps everything; nothing is kept elsewhere. A change that `commit` has confirmed is durable, and no
 * change is ever written in part.
 */
export interface Store extends Listings {
  /** Whether what it keeps outlives the process. */
  readonly durable: boolean
  /** Present if several processes may write to the store at once. Absent: this process has it to itself. */
  readonly cluster?: Cluster | undefined
  /** Present if the store outlives the process: its cards and amounts need the same keys and exponents again. */
  readonly keyFingerprints?: KeyFingerprints | undefined
  /**
   * @param now Milliseconds since 1970.
   * @throws if the change is one that no decision makes, or could not be written; nothing of it is written then
   */
  commit(change: Change, now: number): Promise<CommitResult>
  /** The merchant's order. If client order ids repeat, the youngest. */
  findOrder(names: OrderNames): Promise<StoredOrder | undefined>
  orderById(orderId: string): Promise<StoredOrder | undefined>
  /** The order whose hosted page has this token. */
  orderByPageToken(token: string): Promise<StoredOrder | undefined>
  /** Ids of orders with an operation that was sent before `before` and has no outcome. */
  sentOrders(before: number, limit: number): Promise<readonly string[]>
  /** By time, operation and account. */
  postingsOf(orderId: string): Promise<readonly Posting[]>
  /** Oldest first. */
  deliveriesOf(orderId: string): Promise<readonly Delivery[]>
  /** The tasks of an order, by when they are due. */
  tasksOf(orderId: string): Promise<readonly OrderTask[]>
  claimDeliveries(claim: Claim): Promise<readonly Delivery[]>
  claimTasks(claim: Claim): Promise<readonly Task[]>
  /**
   * Gives back all claims, before this process has any: what the last process had claimed when it ended is due as it was. Present if
   * this process has to itself a store that outlives it, so that no other can have a claim.
   */
  releaseClaims?(now: number): Promise<void>
  /** What is due next, claimed or not: at most so many deliveries and so many tasks, the earliest first, then by id. */
  listDue(limit: number): Promise<{ readonly deliveries: readonly Delivery[]; readonly tasks: readonly Task[] }>
  /** When the next delivery or task is due. */
  nextDueAt(): Promise<number | undefined>
  /**
   * Makes deliveries and tasks due by these limits at the latest, claimed or not: what lies further ahead was written before the
   * clock was set back. A charge that is tried again does not wait longer than other tries. One that was not tried is due now if it
   * lies after its date: it finds its time again itself.
   */
  pullBack(limits: DueLimits): Promise<void>
  card(cardId: string): Promise<SealedCard | undefined>
  /** A merchant's reference of a stored card. */
  cardReference(login: string, referenceId: string): Promise<CardReference | undefined>
  /** Cards whose data key is wrapped by another key than this, in the order of their ids, beginning after the id `after`. */
  cardsNotUnder(keyId: string, after: string, limit: number): Promise<readonly SealedCard[]>
  /** Replaces a card's wrapping, if it still has the one that was read. */
  rewrapCard(card: SealedCard, from: SealedCard): Promise<boolean>
  recurringPayment(login: string, clientOrderId: string): Promise<RecurringPayment | undefined>
  recurringPaymentById(recurringPaymentId: string): Promise<RecurringPayment | undefined>
  /** The merchant's last changed orders, by the `now` of their changes, latest first. Sorts them all: for test environments. */
  recentOrders(login: string, limit: number): Promise<readonly StoredOrder[]>
  /** What persons had done, latest first. */
  operatorRecords(filter: RecordFilter): Promise<readonly OperatorRecord[]>
  /** Forgets everything except key notes and operator records, also which nonces were used: for test environments. */
  reset(): Promise<void>
  /** Whether the store can be written to now. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

/** Work that is due at an instant, for whichever process is running then. */
export type Task = OrderTask | ChargeTask

interface DueTask {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly dueAt: number
  /** How often it was tried. */
  readonly tried: number
}

/**
 * Work on an order. `release`: what is on hold expires. `lookup`: the acquirer did not know an outcome and is asked
 * again. `abandon`: the customer has had enough time on the gateway's pages. `expire-check`: a payout-check can no longer be
 * paid.
 */
export interface OrderTask extends DueTask {
  readonly kind: 'release' | 'lookup' | 'abandon' | 'expire-check'
  readonly orderId: string
}

/** The next charge of a recurring payment: there is one such task, or none once its schedule has ended. */
export interface ChargeTask extends DueTask {
  readonly kind: 'charge'
  readonly recurringPaymentId: string
  /** Which of the schedule's charges it is, from 1. */
  readonly number: number
  /** The day of the charge, `YYYY-MM-DD`. A claim moves `dueAt`, but not this. */
  readonly date: string
}

/** An operation sent by a process that was gone before it knew the outcome. */
export interface AbandonedOperation {
  readonly orderId: string
  readonly operationId: string
}

/** What processes that share a store must know about each other. */
export interface Cluster {
  /**
   * Whether the other processes still consider this one alive, and so leave alone what it has sent. A process that was cut
   * off from the store for too long does not send what it has written: another process looks it up.
   */
  isAlive(): boolean
  /** Whether this process may claim what it writes: it counts as alive, and its clock agrees with that of the others. */
  mayClaim(): boolean
  /**
   * Takes over operations that processes which are gone had sent. Each operation goes to one process, and to that process
   * again for as long as it is neither decided nor under way there: an answer may have been lost, or reading the order
   * failed. The same goes for operations that this process may have written as sent although the write was reported failed.
   *
   * @param isUnderWay Whether this process carries the operation out or looks it up now.
   */
  takeAbandonedOperations(
    limit: number,
    isUnderWay: (operationId: string) => boolean,
  ): Promise<readonly AbandonedOperation[]>
  /**
   * Calls `look` every few seconds, and when another process is gone or may have made something due. The function returned
   * ends that.
   */
  onWake(look: () => void): () => void
}

/** Notes in a store that outlives the process: checks of the keys of its cards, and the exponents of its amounts. */
export interface KeyFingerprints {
  /** Adds each of these unless there is a note of its name. Returns all notes. */
  note(checks: readonly KeyCheck[]): Promise<readonly KeyCheck[]>
  /** Whether the data key of any card is wrapped by this key. */
  isInUse(keyId: string): Promise<boolean>
}

/** Identifies a key without revealing it. */
export interface KeyCheck {
  /** As the key file names it: `fingerprint`, or `wrapping.` and the id. */
  readonly name: string
  readonly value: string
}
