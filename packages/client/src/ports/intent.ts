import type { OperationKey, Status } from '@tallystick/core'

/**
 * How far an intent has come (docs/guides/unknown.md).
 *
 * `PREPARED` is written and was never sent. `SENDING` may have been sent. `ACCEPTED` has an order id and no outcome yet.
 * `REJECTED` created nothing. `NOT_SENT` is proven not to have left. `UNKNOWN` may have taken effect. `FINAL` has the signed
 * status. `PRESUMED_ABSENT` was told not to exist often and long enough; it is watched on, and never sent again. `REVIEW`
 * needs a person.
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

export type IntentState = (typeof INTENT_STATES)[number]

/**
 * `opening` makes an order and is found by its own client order id. `modification` changes an order that exists and has no
 * id of its own. `card` stores a card: there is no status to ask for.
 */
export type IntentKind = 'opening' | 'modification' | 'card'

/** Why a person is needed. */
export type ReviewReason =
  /** The status is of another amount or currency than was asked for. */
  | 'AMOUNT_DIFFERS'
  /** The gateway names another order id than it did before. */
  | 'ORDER_DIFFERS'
  /** The order changed otherwise than this modification would change it. */
  | 'CHANGED_OTHERWISE'
  /** Something was to be captured or given back and the order is unchanged: an equal one looks the same. */
  | 'PART_UNCHANGED'
  /** The reply was lost, and the interface has no status for this operation. */
  | 'NO_STATUS'
  /** Thirty days went by without an outcome. */
  | 'TOO_OLD'

/** Something that was seen, for the person who has to decide. */
export interface Evidence {
  readonly at: number
  /** Never holds a card number, a CVV or a key: it is made of the client's masked messages. */
  readonly seen: string
}

/** What status told of an order at one moment. */
export interface Observation {
  readonly status: Status
  readonly transactionType?: string | undefined
  readonly orderStage?: string | undefined
  /** What is held or kept, in minor units: `'1042'` is 10.42. */
  readonly amount?: string | undefined
  /** What the order was opened with, in minor units. */
  readonly initialAmount?: string | undefined
  readonly currency?: string | undefined
}

/** Where it is sent to, and where its status is asked. Neither: the client's own endpoint, which it does not tell. */
export interface IntentEndpoint {
  readonly endpointId?: string | undefined
  readonly endpointGroupId?: string | undefined
}

/**
 * A money operation, written before it is sent. Holds no card number, no CVV and no key: whoever sends a prepared one has to
 * supply the card.
 */
export interface Intent extends IntentEndpoint {
  readonly intentId: string
  /** What the merchant calls it: "invoice 77". One attempt of it is active at a time. */
  readonly businessKey: string
  readonly attempt: number
  readonly operation: OperationKey
  readonly kind: IntentKind
  readonly clientOrderId: string
  /** The gateway's id. Of a modification, of the order that it changes. */
  readonly orderId?: string | undefined
  /** In minor units, `'1042'` for 10.42. Several, where the request offered several; none, where the request had none. */
  readonly amounts: readonly string[]
  readonly currency?: string | undefined
  /** SHA-256 over the fields of the request without those of a card. */
  readonly digest: string
  readonly state: IntentState
  /** Counts the writes: whoever writes names the version that he has read. */
  readonly version: number
  readonly createdAt: number
  /** When it was last about to be sent. */
  readonly sentAt?: number | undefined
  /** Until when an exchange had to be over, in milliseconds from `sentAt`. */
  readonly deadlineMs: number
  /** How often it was about to be sent. */
  readonly sends: number
  /** Until when the process that sends or asks has it for itself. */
  readonly leaseUntil?: number | undefined
  readonly leaseOwner?: string | undefined
  /** When the status is asked for next. */
  readonly nextCheckAt?: number | undefined
  /** When the status was last asked for. */
  readonly lookedAt?: number | undefined
  /** When there was last said to be news: by a callback, or because what kept it from being told has ended. */
  readonly wokenAt?: number | undefined
  /** Signed answers "no such order", or of a modification "unchanged", one after the other. */
  readonly absences: number
  readonly firstAbsenceAt?: number | undefined
  /** Why it was refused; that of the gateway counts once status has confirmed it. */
  readonly rejection?: string | undefined
  /** Of a modification: the order before it was sent. */
  readonly before?: Observation | undefined
  /** What status told last. */
  readonly observed?: Observation | undefined
  /** The gateway's number of the request that it accepted. */
  readonly serialNumber?: string | undefined
  /** Where the customer goes on, of a hosted form. */
  readonly redirectUrl?: string | undefined
  /** Of a stored card: its reference. */
  readonly reference?: string | undefined
  /** Of a final one. A payment that ended otherwise and is shown to be approved after all is `approved` from then on. */
  readonly status?: Status | undefined
  readonly reviewReason?: ReviewReason | undefined
  /** Whether it keeps its business key for itself. Once given back, a key is never taken again by the same attempt. */
  readonly holdsKey: boolean
  /** Of a modification: whether it keeps its order for itself. */
  readonly holdsOrder: boolean
  /** The last so many. */
  readonly evidence: readonly Evidence[]
}

/** What the merchant's handler is told: an outcome of an operation, or what happened to an order later. */
export interface JournalOutcome {
  /** Never the same for two outcomes, always the same for one: for effects outside of the database. */
  readonly key: string
  /** Of the order: the outcomes of one order are handed over one after the other. */
  readonly number: number
  /** `outcome` of an intent; `notice` of what came after it: a reversal, a chargeback, or that a declined payment was approved. */
  readonly kind: 'outcome' | 'notice'
  readonly intentId: string
  readonly businessKey: string
  readonly operation: OperationKey
  readonly clientOrderId: string
  readonly orderId?: string | undefined
  readonly status: Status
  readonly transactionType?: string | undefined
  /**
   * What it was about, in minor units, `'1042'` for 10.42: of a notice, by how much what is kept has changed. Left out where
   * neither the request nor the status tells, as of a capture in full.
   */
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  /** What is held or kept after it, in minor units. */
  readonly kept?: string | undefined
  /** Of a stored card. */
  readonly reference?: string | undefined
}

/** An outcome before it has its place among those of its order. */
export type NewOutcome = Omit<JournalOutcome, 'key' | 'number'>
