import type { OperationKey, Status } from '@tallystick/core'
import type { Processed } from '@tallystick/core/internal'

/**
 * How far an intent has come (docs/guides/unknown.md).
 *
 * `PREPARED` is written and was never sent. `SENDING` may have been sent. `ACCEPTED` has an order id and no outcome yet.
 * `REJECTED` created nothing. `NOT_SENT` is proven not to have left. `UNKNOWN` may have taken effect. `FINAL` has the signed
 * status. `PRESUMED_ABSENT`: enough answers over enough time said that it does not exist; it is still watched, and never sent
 * again. `REVIEW` needs an operator.
 */
export const INTENT_STATES = [
  'PREPARED',
  'SENDING',
  'ACCEPTED',
  'REJECTED',
  'NOT_SENT',
  'UNKNOWN',
  'FINAL',
  'PRESUMED_ABSENT',
  'REVIEW',
] as const

/** Where an intent is between its writing and its end. */
export type IntentState = (typeof INTENT_STATES)[number]

/**
 * `opening` makes an order and is found by its own client order id. `modification` changes an order that exists and has no
 * id of its own. `card` stores a card: there is no status to ask for.
 */
export type IntentKind = 'opening' | 'modification' | 'card'

/** Why an operator is needed. */
export type ReviewReason =
  /** The status has another amount or currency than the request, or than the order before it was changed. */
  | 'AMOUNT_DIFFERS'
  /** The gateway names another order id than it did before, or only its own after a lost reply. */
  | 'ORDER_DIFFERS'
  /** The order changed, but not as this modification would change it. */
  | 'CHANGED_OTHERWISE'
  /** After a capture or return the order is unchanged: an equal one looks the same. */
  | 'PART_UNCHANGED'
  /** The reply was lost, and the interface has no status for this operation. */
  | 'NO_STATUS'
  /** No outcome within thirty days. */
  | 'TOO_OLD'

/** Something that was seen, for the operator who has to decide. */
export interface Evidence {
  readonly at: number
  /** Never holds a card number, a CVV or a key: it is made of the client's masked messages. */
  readonly seen: string
}

/** What the status said about an order at one moment. */
export interface Observation extends Processed {
  readonly status: Status
  /** The gateway's id of the order, if only an operator can say whether it is that of the intent. */
  readonly orderId?: string | undefined
  readonly transactionType?: string | undefined
  readonly orderStage?: string | undefined
  /** What is held or kept, in minor units: `'1042'` is 10.42. */
  readonly amount?: string | undefined
  /** What the order was opened with, in minor units. */
  readonly initialAmount?: string | undefined
  readonly currency?: string | undefined
  /** Why it came to nothing, as the gateway says. Card numbers are masked. */
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
}

/** Where it is sent, and its status is asked for. Neither: the client's own endpoint. */
export interface IntentEndpoint {
  readonly endpointId?: string | undefined
  readonly endpointGroupId?: string | undefined
}

/**
 * A money operation, written before it is sent. Holds no card number, no CVV and no key: to send a prepared one that needs a
 * card, supply the card.
 */
export interface Intent extends IntentEndpoint {
  readonly intentId: string
  /** The merchant's name for it: "invoice 77". At most one attempt of it is active. */
  readonly businessKey: string
  readonly attempt: number
  readonly operation: OperationKey
  readonly kind: IntentKind
  readonly clientOrderId: string
  /** The gateway's id. Of a modification, of the order that it changes. */
  readonly orderId?: string | undefined
  /** In minor units, `'1042'` for 10.42. Several if the request offered several; none if it had none. */
  readonly amounts: readonly string[]
  readonly currency?: string | undefined
  /** SHA-256 over the fields of the request without those of a card. */
  readonly digest: string
  /**
   * Of a prepared one without a card, until it is sent: its fields, by which the journal sends it if its caller does not come.
   * Amounts, references, addresses and texts of the shop, and the customer's IP address if the request has it.
   */
  readonly input?: Readonly<Record<string, string>> | undefined
  readonly state: IntentState
  /** Counts the writes: a writer names the version that it has read. */
  readonly version: number
  readonly createdAt: number
  /** When it was last about to be sent. */
  readonly sentAt?: number | undefined
  /** Time limit of its exchange, in milliseconds from `sentAt`. */
  readonly deadlineMs: number
  /** How often it was about to be sent. */
  readonly sends: number
  /** Until when the process that sends it or checks it owns it. */
  readonly leaseUntil?: number | undefined
  readonly leaseOwner?: string | undefined
  /** When the status is asked for next. Of a prepared one: when the journal sends it, or says that it waits for its caller. */
  readonly nextCheckAt?: number | undefined
  /** Of an approved payment: when the status is asked for next in case something happened to its order without a callback. */
  readonly watchAt?: number | undefined
  /** When the status was last asked for. */
  readonly lookedAt?: number | undefined
  /** When a callback last said that it changed, or what delayed its report ended. */
  readonly wokenAt?: number | undefined
  /** Consecutive signed answers "no such order", or for a modification "unchanged". */
  readonly absences: number
  readonly firstAbsenceAt?: number | undefined
  /** Why it was refused. The gateway's reason counts once the status has confirmed it. */
  readonly rejection?: string | undefined
  /** Of the payment of a payout that was rejected without being sent: its money had left before, by another request. */
  readonly isPaidBefore?: boolean | undefined
  /** Of a modification: the order before it was sent. */
  readonly before?: Observation | undefined
  /** What the status last said. */
  readonly observed?: Observation | undefined
  /** The gateway's number of the request that it accepted. */
  readonly serialNumber?: string | undefined
  /** Of a hosted form: where the customer continues. */
  readonly redirectUrl?: string | undefined
  /** Of a stored card: its reference. */
  readonly reference?: string | undefined
  /** Of a final one. A payment that ended otherwise, but proves to be approved after all, is `approved` from then on. */
  readonly status?: Status | undefined
  readonly reviewReason?: ReviewReason | undefined
  /** Whether it holds its business key. An attempt that has released its key never takes it again. */
  readonly holdsKey: boolean
  /** Of a modification: whether it holds its order. */
  readonly holdsOrder: boolean
  /** The latest ones. */
  readonly evidence: readonly Evidence[]
}

/** What a journal reports: an operation's outcome, or what happened to an order later. */
export interface JournalOutcome
  extends Pick<
      Intent,
      'intentId' | 'businessKey' | 'operation' | 'clientOrderId' | 'orderId' | 'currency' | 'reference'
    >,
    Pick<Observation, 'status' | 'transactionType' | 'errorCode' | 'errorMessage'>,
    Processed {
  /** Unique to the outcome, and always the same for it: for effects outside of the database. */
  readonly key: string
  /** Its place among the outcomes of its order, which are delivered one after the other. */
  readonly number: number
  /** `outcome` of an intent; `notice` of what came after it: a reversal, a chargeback, or that a declined payment was approved. */
  readonly kind: 'outcome' | 'notice'
  /**
   * The amount in minor units, `'1042'` for 10.42; of a notice, by how much the kept amount changed. Absent if
   * neither the request nor the status says, as for a full capture.
   */
  readonly amount?: string | undefined
  /** What is held or kept after it, in minor units. */
  readonly kept?: string | undefined
  /** Of a notice: it is the payment itself, approved after it was reported as `declined`, `filtered` or `error`. */
  readonly isLatePayment?: true | undefined
}

/** The outcome of an operation that the merchant asked for. */
export interface OperationOutcome extends JournalOutcome {
  readonly kind: 'outcome'
}

/** What happened to an order later: a reversal, a chargeback, or that a declined payment was approved. */
export interface OrderNotice extends JournalOutcome {
  readonly kind: 'notice'
}

/** An outcome before it has its place among those of its order. */
export type NewOutcome = Omit<JournalOutcome, 'key' | 'number'>
