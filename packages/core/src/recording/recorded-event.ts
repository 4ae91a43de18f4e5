/**
 * What is recorded of a test environment, of both halves, as one append-only list: typed events as plain JSON. Card numbers, CVVs
 * and keys are masked before an event is made.
 *
 * A recording is written and read as lines of JSON, see `readRecording`. A new kind of event does not change the version; a field
 * that means something else does.
 */

/** An event with its place in the recording. */
export type RecordedEvent = RecordingEntry & NewEvent

interface RecordingEntry {
  readonly version: 1
  /** Counts the events of a recording from 1 on: events are in the order in which they happened, or arrived from another process. */
  readonly id: number
}

/** An event as it is given to a recorder. */
export type NewEvent = GatewayEvent | MerchantEvent | EventsDropped

/** What takes events. It never throws, and takes no time that a payment would notice. */
export interface Recorder {
  record(event: NewEvent): void
  /**
   * Only of a test environment, and only called by a journal that was told to: calls `decide` with what a person decides in the
   * workbench about an intent in review. The function returned ends that.
   */
  onDecision?(decide: Decide): () => void
}

/** Writes what a person has decided. Rejects, with what the person is told, if that cannot be decided. */
export type Decide = (decision: WorkbenchDecision) => Promise<void>

/** What a person has decided in the workbench about an intent in review. */
export interface WorkbenchDecision {
  readonly intentId: string
  /** Of the intent that was shown. */
  readonly intentVersion: number
  /** As the journal names it, such as `nothing-charged`; or the id that the gateway shows for a stored card or schedule. */
  readonly decision: string | { readonly reference: string }
  /** Who says so, and why. */
  readonly note: string
}

/** What the gateway saw and did. */
export type GatewayEvent =
  | RequestReceived
  | RequestAnswered
  | PageVisited
  | AcquirerCalled
  | ThreeDsMessage
  | OrderChanged
  | CallbackSent
  | FaultEvent
  | ClockMoved

/** What the merchant's client and journal saw and did. */
export type MerchantEvent = CallMade | IntentWritten | CallbackReceived | HandlerCalled | JournalNotice

interface Event<Half extends 'gateway' | 'merchant', Type extends string> {
  readonly half: Half
  readonly type: Type
  /** Milliseconds since 1970, by the clock of the half that it happened in. */
  readonly at: number
}

/** A request to the interface has come in. */
export interface RequestReceived extends Event<'gateway', 'request'> {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly peer?: string | undefined
  /** The headers that decide how the request is read: `accept`, `authorization`, `content-type`, `user-agent`. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The form as it was sent, and signed, with masked values in place of those that must not be recorded: `parseForm` reads it. Absent
   * if the body is no form: what is in it cannot be told, so it is not recorded.
   */
  readonly form?: string | undefined
  /** Of the body. */
  readonly bytes: number
}

/** A request was answered. */
export interface RequestAnswered extends Event<'gateway', 'reply'> {
  /** The id of its `request` event. */
  readonly request: number
  readonly serialNumber?: string | undefined
  /** The operation's key in the catalogue. Absent if the path names none. */
  readonly operation?: string | undefined
  readonly endpointId?: string | undefined
  /** Whom the request claims to come from; only with `verifiedBy` is that so. */
  readonly login?: string | undefined
  readonly clientOrderId?: string | undefined
  readonly orderId?: string | undefined
  /** By what the request was found to be its merchant's. Absent: it was refused before that, or is not signed as it must be. */
  readonly verifiedBy?: 'control' | 'HMAC-SHA1' | 'RSA-SHA256' | undefined
  /** Only of a refusal. */
  readonly refusal?: RecordedRefusal | undefined
  /** What was answered. Of a fault that loses the reply, 0. */
  readonly httpStatus: number
  /** The other fields of the answer by their names in the models. Of a page only its length; tokens of pages are masked. */
  readonly values: Readonly<Record<string, string>>
  /** The fault on demand that the reply met, such as `reply-lost-after-commit`. */
  readonly fault?: string | undefined
  readonly milliseconds: number
}

/** Why a request was refused. */
export interface RecordedRefusal {
  readonly reason: string
  readonly errorCode?: string | undefined
  /** Of a signature that does not fit, in a sandbox: what the signature doctor says. */
  readonly doctor?: RecordedDiagnosis | undefined
}

/** What the signature doctor says. Keys, card numbers and CVVs are masked in both texts, without changing their lengths. */
export interface RecordedDiagnosis {
  /** A literal to branch on, such as `hyphens-removed`. Absent: no single mistake explains the signature. */
  readonly cause?: string | undefined
  readonly advice: string
  /** The text that should have been signed. */
  readonly expected?: string | undefined
  /** The text that was signed, if one mistake explains it. */
  readonly received?: string | undefined
}

/** A page of the gateway was opened or sent by the customer. */
export interface PageVisited extends Event<'gateway', 'page'> {
  readonly method: string
  /** Of the page, with `{token}` for its token: `/form/{token}`. */
  readonly page: string
  readonly orderId?: string | undefined
  /** The form that the browser sent, encoded and masked. */
  readonly form?: string | undefined
  readonly httpStatus: number
  /** The title of the page that was shown, in the customer's language. */
  readonly shown?: string | undefined
  /** The page that the browser was sent on to. */
  readonly sentOnTo?: string | undefined
  readonly milliseconds: number
}

/** The acquirer was called, and answered or failed. */
export interface AcquirerCalled extends Event<'gateway', 'acquirer'> {
  readonly call: 'tokenize' | 'execute' | 'authenticate' | 'lookup'
  readonly kind: string
  readonly clientOrderId: string
  /** Absent before there is an order. */
  readonly orderId?: string | undefined
  /** The id of the operation, which the acquirer has as its reference. */
  readonly operationId?: string | undefined
  /** In major units. */
  readonly amount: string
  readonly currency: string
  /**
   * The status that it decided on; of `tokenize`, `accepted` or `refused`; of `lookup`, also `absent`; `failed` if it threw, so that
   * nothing is known.
   */
  readonly answer: string
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
  readonly milliseconds: number
}

/** A message of 3-D Secure. */
export interface ThreeDsMessage extends Event<'gateway', 'three-ds'> {
  readonly step: 'method' | 'challenge' | 'pareq'
  /** `to-issuer`: what the customer's browser was given to take there. */
  readonly direction: 'to-issuer' | 'from-issuer'
  readonly orderId: string
  readonly operationId: string
  /** The fields of the message, decoded. One that does not decode is named by its length alone. */
  readonly fields: Readonly<Record<string, string>>
}

/** An order was made or changed, and that is stored. */
export interface OrderChanged extends Event<'gateway', 'state'> {
  readonly orderId: string
  readonly clientOrderId: string
  readonly login: string
  readonly endpointId: string
  /** Of the order, from 1 on. */
  readonly orderVersion: number
  readonly operationId: string
  readonly kind: string
  /** Of the operation. */
  readonly status: string
  readonly errorCode?: string | undefined
  /** In major units. */
  readonly amount: string
  readonly currency: string
  /** What was posted with the change, in major units; below 0 with a minus. */
  readonly postings: readonly { readonly account: string; readonly amount: string }[]
  /** Of the request that made the operation. */
  readonly serialNumber: string
}

/** A callback was sent once, or given up without that. */
export interface CallbackSent extends Event<'gateway', 'callback'> {
  readonly orderId: string
  readonly callbackId: string
  /** Without the query. */
  readonly address: string
  /** Encoded and masked. */
  readonly query: string
  /** The HTTP status, or why there was none, such as `ECONNREFUSED`. Only `200` acknowledges. Empty if it was never sent. */
  readonly answer: string
  readonly state: 'open' | 'acknowledged' | 'refused' | 'given-up'
  /** How often it was sent so far. */
  readonly attempts: number
  /** When it is sent again, in milliseconds since 1970. Absent: it is over. */
  readonly nextAt?: number | undefined
  /** How a person had it changed to see what the shop makes of it: it was no attempt of the callback itself. */
  readonly trial?: CallbackTrial | undefined
}

/**
 * `forged`: signed with another key. `shifted`: the last digit of the order id stands before the merchant's own id, which the control
 * does not tell apart. `other-amount`: with an amount that the control does not cover. `twice`: as it is, two at once.
 */
export type CallbackTrial = 'forged' | 'shifted' | 'other-amount' | 'twice'

/** A fault on demand was asked for, or has happened; or those that were asked for were forgotten. */
export interface FaultEvent extends Event<'gateway', 'fault'> {
  readonly what: 'set' | 'struck' | 'cleared'
  readonly fault?: string | undefined
  /** The next request of this operation is to have it. */
  readonly operation?: string | undefined
  readonly clientOrderId?: string | undefined
  /** From now on every order is to have a fault with this probability, from 0 to 1. */
  readonly probability?: number | undefined
}

/** The clock of a test environment was advanced. `at`: after that. */
export interface ClockMoved extends Event<'gateway', 'clock'> {
  readonly byMs: number
}

/** The client made a call and judged its reply. */
export interface CallMade extends Event<'merchant', 'call'> {
  /** As the catalogue names it, such as `SALE`. */
  readonly operation: string
  readonly clientOrderId?: string | undefined
  readonly orderId?: string | undefined
  /** Of the endpoint, or of the group. */
  readonly endpointId: string
  readonly verdict: 'accepted' | 'rejected' | 'notSent' | 'unknown'
  /** Code and evidence of the error, if there is one. */
  readonly code?: string | undefined
  readonly seen?: string | undefined
  readonly httpStatus?: number | undefined
  readonly milliseconds: number
}

/** The journal has written an intent. */
export interface IntentWritten extends Event<'merchant', 'intent'> {
  readonly intentId: string
  readonly businessKey: string
  readonly attempt: number
  readonly operation: string
  readonly clientOrderId: string
  readonly orderId?: string | undefined
  readonly state: string
  /** Counts the writes of the intent. */
  readonly intentVersion: number
  /** Of a final one. */
  readonly status?: string | undefined
  readonly reviewReason?: string | undefined
  /** When the status is asked for next, in milliseconds since 1970. */
  readonly nextCheckAt?: number | undefined
  /** The last that was seen of it. */
  readonly seen?: string | undefined
  /** Of one in review: what a person has to know, and what may be decided. */
  readonly review?:
    | {
        readonly evidence: ReadonlyArray<{ readonly at: number; readonly seen: string }>
        readonly decisions: readonly string[]
      }
    | undefined
}

/** A callback was received. */
export interface CallbackReceived extends Event<'merchant', 'callback-received'> {
  readonly clientOrderId: string
  readonly orderId: string
  readonly status: string
  /**
   * What became of it. The client says `verified`, or `refused` if its control is wrong; the journal `stored`, `orphan` if no intent
   * has its order, or `full` if there are too many of these.
   */
  readonly stored: 'verified' | 'refused' | 'stored' | 'orphan' | 'full'
}

/** The merchant's handler was called with an outcome or a notice, or has ended. */
export interface HandlerCalled extends Event<'merchant', 'handler'> {
  readonly what: 'called' | 'done' | 'failed'
  /** Of the outcome. */
  readonly key: string
  readonly kind: 'outcome' | 'notice'
  readonly clientOrderId: string
  readonly orderId?: string | undefined
  readonly status: string
  /** The name of the error, not its message: that is the merchant's own. */
  readonly error?: string | undefined
}

/** What the journal reports to its `onEvent`, such as a suspected double charge. */
export interface JournalNotice extends Event<'merchant', 'journal'> {
  readonly notice: string
  readonly intentIds: readonly string[]
}

/** Events were lost because there were too many: the oldest of a recording, or those that could not be sent to one. */
export interface EventsDropped extends Event<'gateway' | 'merchant', 'dropped'> {
  readonly count: number
}
