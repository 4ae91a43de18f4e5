import type { GatewayReply, Pair } from '@tallystick/core'
import type { AdapterParser } from './mount-adapter.ts'

/** One thing that every adapter has to do, as data. */
export interface AdapterCase {
  /** A sentence, with the ids of the rules in `spec/requirements` that it verifies. */
  readonly name: string
  /** What reads bodies before the adapter does. */
  readonly parser: AdapterParser
  /** What the app puts before every route. Default nothing. */
  readonly prefix?: string
  /** Whether the app believes the headers of proxies. Default `false`. */
  readonly trustProxy?: boolean
  /** How the shop behind the routes is. Default well. */
  readonly shop?: ShopMood
  /** What the gateway in the app answers. */
  readonly reply?: GatewayReply
  /** Sent in turn, unless `together`. */
  readonly requests: readonly CaseRequest[]
  /** Whether the requests come at once, not one after the other. */
  readonly together?: boolean
  /** Whether the app is stopped and started anew between the requests; its inbox is what it was. */
  readonly restarts?: boolean
  /** What has to be seen then. */
  readonly seen: Seen
}

/** How the shop behind the adapter is. It is well unless it says otherwise. */
export type ShopMood =
  /** It cannot keep anything. */
  | 'down'
  /** It cannot keep the first, and is well then. */
  | 'down-at-first'
  | 'full'
  /** It takes until somebody has looked that nothing was answered before. */
  | 'slow'
  /** The first is kept, then something breaks before the answer. */
  | 'breaks-after-commit'
  /** No journal: the status is asked, and says this. `fails-at-first` keeps nothing; the others are as above. */
  | { readonly status: string; readonly handler?: 'fails-at-first' | 'slow' | 'breaks-after-commit' }

/** A route of a shop, or the gateway in the app. */
export type CaseRoute = 'callback' | 'return' | '3ds' | 'gateway'

/** A request that a case sends, byte for byte. */
export interface CaseRequest {
  readonly to: CaseRoute
  /** Whose route. Default `a`. */
  readonly shop?: 'a' | 'b'
  readonly method: string
  /** Of the query of a GET, else of the body. */
  readonly form?: readonly Pair[]
  /** Who signs the form. Default `nobody`. */
  readonly signed?: 'by-a' | 'by-b' | 'wrong' | 'nobody'
  /** What was signed, where it is another form than the one that is sent: the control is genuine and does not fit. */
  readonly signedForm?: readonly Pair[]
  /** Put behind the form, as it is. */
  readonly suffix?: string
  /** How the form is written into the body. Default as a form. */
  readonly written?: 'json' | 'multipart' | 'gzip' | 'text'
  /** A body that is no form. */
  readonly body?: string
  /** Beside the one that holds the form of a GET. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Default: in one piece, with its length. */
  readonly sent?: 'in-pieces' | 'cut-short'
}

/** What has to be seen afterwards. */
export interface Seen {
  /**
   * Of each answer in turn, the statuses that may be: a parser of the framework may refuse what the adapter would have.
   * `0`: the connection ends without an answer; `cut`: within it.
   */
  readonly statuses: ReadonlyArray<ReadonlyArray<number | 'cut'>>
  /**
   * The client order ids that the shops keep, or were told, each behind the name of its shop. Default: those that were
   * answered with 200, which is looked at in any case.
   */
  readonly kept?: readonly string[]
  /** How often the inbox was asked. */
  readonly received?: number
  /** The statuses of the errors that the app's error handler got. */
  readonly errors?: readonly number[]
  /** Headers of the last answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body of the last answer. */
  readonly body?: string
  /** What the gateway in the app was given last. */
  readonly gateway?: {
    readonly url: string
    readonly form?: readonly Pair[]
    /** At least so long. */
    readonly longerThan?: number
    readonly headers?: Readonly<Record<string, string | readonly string[]>>
  }
}
