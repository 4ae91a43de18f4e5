import type { Pair } from '@tallystick/core'
import type { GatewayReply } from '@tallystick/core/internal'
import type { AdapterParser } from './mount-adapter.ts'

/** One thing that every adapter has to do, as data. */
export interface AdapterCase {
  /** A sentence, with the ids of the rules in `spec/requirements` that it verifies. */
  readonly name: string
  /** Which parser reads bodies before the adapter does. */
  readonly parser: AdapterParser
  /** What the app puts before every route. Default nothing. */
  readonly prefix?: string
  /** Whether the app believes the headers of proxies. Default `false`. */
  readonly trustProxy?: boolean
  /** The state of the shop behind the routes. Default: it works. */
  readonly shop?: ShopBehaviour
  /** What the gateway in the app answers. */
  readonly reply?: GatewayReply
  /** Sent one after the other, unless `together`. */
  readonly requests: readonly CaseRequest[]
  /** Whether the requests are sent at once. */
  readonly together?: boolean
  /** Whether the app is restarted between the requests. Its inbox stays as it was. */
  readonly restarts?: boolean
  /** What has to be seen afterwards. */
  readonly seen: Seen
}

/** The state of the shop behind the adapter. Without one, the shop works. */
export type ShopBehaviour =
  /** It cannot store anything. */
  | 'down'
  /** It cannot store the first callback, and works afterwards. */
  | 'down-at-first'
  | 'full'
  /** It does not finish before the case has checked that nothing was answered yet. */
  | 'slow'
  /** It stores the first callback, then fails before the answer. */
  | 'breaks-after-commit'
  /** It has no journal: a status check gives this status. `fails-at-first` stores nothing; the others are as above. */
  | { readonly status: string; readonly handler?: 'fails-at-first' | 'slow' | 'breaks-after-commit' }

/** A route of a shop, or the gateway in the app. */
export type CaseRoute = 'callback' | 'return' | '3ds' | 'gateway'

/** A request that a case sends, byte for byte. */
export interface CaseRequest {
  readonly to: CaseRoute
  /** Whose route. Default `a`. */
  readonly shop?: 'a' | 'b'
  readonly method: string
  /** The form, in the query of a GET, otherwise in the body. */
  readonly form?: readonly Pair[]
  /** Who signs the form. Default `nobody`. */
  readonly signed?: 'by-a' | 'by-b' | 'wrong' | 'nobody'
  /** The form that was signed, if it differs from the one that is sent: the control is genuine but does not match. */
  readonly signedForm?: readonly Pair[]
  /** Appended to the form unchanged. */
  readonly suffix?: string
  /** How the form is written into the body. Default as a form. */
  readonly written?: 'json' | 'multipart' | 'gzip' | 'text'
  /** A body that is no form. */
  readonly body?: string
  /** A query in addition to the form of a GET. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Default: in one piece, with its length. */
  readonly sent?: 'in-pieces' | 'cut-short'
}

/** What has to be seen afterwards. */
export interface Seen {
  /**
   * The allowed statuses of each answer in turn: a parser of the framework may refuse a request before the adapter sees it.
   * `0`: the connection ends without an answer; `cut`: within it.
   */
  readonly statuses: ReadonlyArray<ReadonlyArray<number | 'cut'>>
  /**
   * The client order ids that the shops stored, or that their handlers got, each after the name of its shop. Default: those
   * that were answered with 200. Whether these were stored is checked in any case.
   */
  readonly kept?: readonly string[]
  /** How often the inbox or the handler was called. */
  readonly received?: number
  /** The statuses of the errors that the app's error handler got. */
  readonly errors?: readonly number[]
  /** Headers of the last answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body of the last answer. */
  readonly body?: string
  /** The last request that the gateway in the app got. */
  readonly gateway?: {
    readonly url: string
    readonly form?: readonly Pair[]
    /** The body is longer than this. */
    readonly longerThan?: number
    readonly headers?: Readonly<Record<string, string | readonly string[]>>
  }
}
