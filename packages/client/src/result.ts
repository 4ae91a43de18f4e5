import type {
  AuthRejectedError,
  GatewayError,
  InvalidInputError,
  NoReplyError,
  NotSentError,
  OperationKey,
  Operations,
  RejectedError,
  ReplyValues,
} from '@tallystick/core'
import type { Credentials } from './credentials.ts'

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call. If something may have been sent, a money operation ends `unknown`, not as an error. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of the call, in milliseconds. Default the client's own. */
  readonly timeoutMs?: number | undefined
  /** Another endpoint. Default the client's own. */
  readonly endpointId?: string | bigint | undefined
  /** A group of endpoints, instead of an endpoint. Default the client's own. */
  readonly endpointGroupId?: string | bigint | undefined
  /** Another merchant's, made by `merchantCredentials`. Default the client's own. */
  readonly credentials?: Credentials | undefined
}

/** Options of `resolve`. It asks the operation's own endpoint: another would not know the order. */
export type ResolveOptions = Pick<CallOptions, 'signal' | 'timeoutMs'>

/** Options of waiting for an outcome. */
export interface WaitOptions extends CallOptions {
  /** How long to wait at most, in milliseconds. Default 300 000. */
  readonly deadlineMs?: number | undefined
}

/** The gateway took the request. Its outcome follows by status and callback. */
export interface Accepted<K extends OperationKey> {
  /** The gateway took the request. It is no proof of payment. */
  readonly outcome: 'accepted'
  /** The acknowledgement: keep its `orderId`. It is no proof of payment. */
  readonly reply: ReplyValues<K>
  /** None: every result has this, so that `if (result.error)` needs no check of `outcome`. */
  readonly error: undefined
}

/** The gateway refused the request; nothing was created. */
export interface Rejected {
  /** The gateway refused the request, and created nothing. */
  readonly outcome: 'rejected'
  /** `error.code` is `REJECTED`, or `AUTH_REJECTED` for a refused signature; `error.remedy` says what to fix. */
  readonly error: RejectedError | AuthRejectedError
}

/** Nothing left this machine: the request was wrong, or there was no connection. `error.retry` says which. */
export interface NotSent {
  /** Nothing left this machine. */
  readonly outcome: 'notSent'
  /** `INVALID_INPUT`: fix the fields in `issues`. `NOT_SENT`: the same request may be sent again. */
  readonly error: InvalidInputError | NotSentError
}

/** The operation may have taken effect. Ask for its status; never send it again (docs/guides/unknown.md). */
export interface Unknown {
  /** It may have taken effect: ask, and never send it again. */
  readonly outcome: 'unknown'
  /** What was seen, for the log. It decides nothing. */
  readonly error: NoReplyError | GatewayError
  /** Asks for the order's status. Never sends the operation again. Throws a `PaymentError` if there is no answer. */
  resolve(options?: ResolveOptions): Promise<ReplyValues<'status'>>
}

/**
 * Of a card reference or a recurring payment there is no status, and rows of charges have one each: ask for those by their client
 * order ids, or send the same rows again if the gateway answers a repeat with the first result, as ours does.
 */
export type UnknownWithoutStatus = Omit<Unknown, 'resolve'>

/** Operations without a status to ask for: what they make is no order, or the request names no single one. */
type WithoutStatus<K extends OperationKey> = K extends OperationKey
  ? Operations[K]['effect'] extends 'stores-card'
    ? true
    : 'clientOrderId' extends keyof Operations[K]['request']['fields']
      ? false
      : true
  : never

/** How a call that is not a pure read ended. */
export type OperationResult<K extends OperationKey> =
  | Accepted<K>
  | Rejected
  | NotSent
  | (WithoutStatus<K> extends true ? UnknownWithoutStatus : Unknown)

/** Reads return their reply or throw; everything else returns how it ended, so that nobody forgets to check. */
export type ResultOf<K extends OperationKey> = Operations[K]['effect'] extends 'reads'
  ? ReplyValues<K>
  : OperationResult<K>
