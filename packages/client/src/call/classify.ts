import {
  AuthRejectedError,
  catalogue,
  GatewayError,
  NoReplyError,
  NotSentError,
  type OperationKey,
  operationUrl,
  RejectedError,
  type ReplyValues,
  readReply,
} from '@tallystick/core'
import {
  type ExchangeEvidence,
  type FailedReply,
  type GatewayAnswer,
  type Masked,
  type Reply,
  withoutSentCvv,
} from '@tallystick/core/internal'
import type { Exchange } from '../transport/transport.ts'
import { keepRawReply } from './errors.ts'
import { type SignedCall, signatureAdvice, textSaysNoSuchOrder, whatToCompare } from './refusals.ts'

/** What an exchange proves. */
export type Verdict<K extends OperationKey> = Acceptance<K> | FailedVerdict

export interface Acceptance<K extends OperationKey> {
  readonly kind: 'accepted'
  readonly reply: ReplyValues<K>
}

/** The same for all operations. */
export type FailedVerdict =
  | {
      readonly kind: 'rejected'
      readonly error: RejectedError | AuthRejectedError
      /** Whether a reply of the interface says so. A page that does may be a proxy's. */
      readonly isReply: boolean
    }
  | { readonly kind: 'notSent'; readonly error: NotSentError }
  | { readonly kind: 'unknown'; readonly error: NoReplyError | GatewayError }

/** What the classification needs to know about the call. */
export interface ClassifiedCall<K extends OperationKey> extends SignedCall {
  readonly key: K
  readonly operation: string
  readonly clientOrderId: string | undefined
  /** The gateway's id of the order, if the request names it. */
  readonly orderId: string | undefined
  readonly isRead: boolean
  /** The card data that the request held, to hide it where the answer quotes it. */
  readonly sent: readonly Masked[]
}

/** Media types that a gateway of this family answers with: JSON of both spellings, and the classic form. */
const REPLY_MEDIA_TYPE =
  /^(?:application\/(?:(?:vnd\.pay\+)?json|x-www-form-urlencoded)|text\/(?:html|plain)|)\s*(?:;|$)/i

/** Statuses that a proxy may answer with on its own, whatever the gateway did. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Judges one exchange. Only a reply of the interface itself accepts or rejects; whatever else came back may be from a
 * proxy that answered after the gateway had acted, so it proves nothing. The exceptions are 401 and 403, whose body is not
 * specified: there any page rejects. Except for reads and uploads, `confirmRefusal` then decides what such a page proves.
 */
export function classify<K extends OperationKey>(call: ClassifiedCall<K>, exchange: Exchange): Verdict<K> {
  switch (exchange.kind) {
    case 'not-sent':
      return { kind: 'notSent', error: new NotSentError(evidence(call, exchange.seen)) }
    case 'lost':
      return noReply(call, exchange.seen)
    case 'replied': {
      const verdict = classifyReply(call, exchange)
      if (verdict.kind !== 'accepted') keepRawReply(verdict.error, exchange, call)
      return verdict
    }
  }
}

type Replied = Extract<Exchange, { kind: 'replied' }>

function classifyReply<K extends OperationKey>(call: ClassifiedCall<K>, exchange: Replied): Verdict<K> {
  const { httpStatus, mediaType, body } = exchange
  const reply: Reply<K> = REPLY_MEDIA_TYPE.test(mediaType)
    ? withoutCvv(readReply(call.key, body, call.profile), call)
    : { kind: 'no-reply' }
  if (reply.kind !== 'no-reply' && isAnother(call, reply.reply as NamedOrder)) {
    return noReply(call, `${shown(exchange)} ${ANOTHER}`, httpStatus)
  }
  if (httpStatus === 401 || httpStatus === 403) return authVerdict(call, reply, exchange)
  if (reply.kind !== 'success') return failureVerdict(call, reply, exchange)
  if (!mayAccept(httpStatus)) return noReply(call, shown(exchange), httpStatus)
  const named = reply.reply as NamedOrder
  const wrong = wrongOrder(call, named)
  if (wrong === undefined) return { kind: 'accepted', reply: reply.reply }
  const details = evidence(call, `${shown(exchange)} ${wrong}`, httpStatus)
  return { kind: 'unknown', error: new NoReplyError({ ...details, otherOrderId: otherUnderOurs(call, named) }) }
}

/** The words about a refusal may quote the CVV without its name. */
function withoutCvv<K extends OperationKey>(reply: Reply<K>, { sent }: ClassifiedCall<K>): Reply<K> {
  if (reply.kind === 'no-reply' || reply.kind === 'success') return reply
  const { errorMessage } = reply.reply
  if (errorMessage === undefined) return reply
  return { ...reply, reply: { ...reply.reply, errorMessage: withoutSentCvv(errorMessage, sent) } }
}

/** Includes 4xx, with which gateways of the family answer a declined request (gaps part 2.3). */
function mayAccept(httpStatus: number): boolean {
  return httpStatus < 300 || (httpStatus >= 400 && httpStatus < 500 && !TRANSIENT.has(httpStatus))
}

function failureVerdict(call: ClassifiedCall<OperationKey>, reply: FailedReply, exchange: Replied): FailedVerdict {
  const { httpStatus } = exchange
  switch (reply.kind) {
    case 'validation-error': {
      if (saysThatItExists(call, reply.reply)) {
        return failed(call, 'the gateway knows this client order id already', reply.reply, httpStatus)
      }
      const details = evidence(call, `the gateway refused the request${quote(reply.reply)}`, httpStatus)
      return {
        kind: 'rejected',
        isReply: true,
        error: new RejectedError({ ...details, remedy: remedyOf(call, reply.reply) }, reply.reply),
      }
    }
    case 'error':
      return failed(call, 'the gateway reported an error', reply.reply, httpStatus)
    case 'incomplete':
      return failed(call, `${shown(exchange)} lacks ${reply.missing.join(', ')}`, reply.reply, httpStatus)
    case 'no-reply':
      return noReply(call, `${shown(exchange)} is no reply of the gateway`, httpStatus, false)
  }
}

/** If the gateway does not know the order (yet), the status request needs no fix. */
function remedyOf({ key }: ClassifiedCall<OperationKey>, { errorMessage = '' }: GatewayAnswer): string | undefined {
  return key === 'status' && textSaysNoSuchOrder(errorMessage)
    ? 'Check the ids; an order that was sent a moment ago may only be known later.'
    : undefined
}

/**
 * Whether the gateway refuses because it already knows the client order id: then an order exists, and the merchant must ask
 * for its status. There is no list of codes (gaps part 9), so the words decide. Only for operations that make an order: all
 * others name one that exists. Words that are not recognized do no harm: `confirmRefusal` asks for the status before a money
 * operation counts as refused.
 */
function saysThatItExists({ isRead, orderId }: ClassifiedCall<OperationKey>, { errorMessage = '' }: GatewayAnswer) {
  return !isRead && orderId === undefined && ORDER_IN_WORDS.test(errorMessage) && KNOWN_ALREADY.test(errorMessage)
}

const ORDER_IN_WORDS = /order[ _-]?id|merchant[ _-]?order|(?:order|transaction|invoice) with\b/i
const KNOWN_ALREADY =
  /\balready\b|\bexists\b|\bduplicate|\bnot unique\b|\bnon-unique\b|\bused before\b|\bmust be unique\b/i

/** The gateway has answered, and the operation may have taken effect. */
function failed(
  call: ClassifiedCall<OperationKey>,
  seen: string,
  answer: GatewayAnswer,
  httpStatus: number,
): FailedVerdict {
  const details = evidence(call, `${seen}${quote(answer)}`, httpStatus)
  return { kind: 'unknown', error: new GatewayError(details, answer) }
}

/**
 * 401 and 403 both mean a refused signature (conflict C3), whatever the body, which is not specified. But if the answer names
 * an order, something was created.
 */
function authVerdict(
  call: ClassifiedCall<OperationKey>,
  reply: FailedReply | { readonly kind: 'success' },
  exchange: Replied,
): FailedVerdict {
  const { httpStatus } = exchange
  const answer = reply.kind === 'success' || reply.kind === 'no-reply' ? undefined : reply.reply
  if (reply.kind === 'success' || answer?.orderId !== undefined) {
    return noReply(call, `HTTP ${httpStatus} that names an order`, httpStatus)
  }
  const isReply = reply.kind !== 'no-reply' && isOfInterface(reply)
  const seen = isReply
    ? `the signature was refused (${shown(exchange)})${quote(answer)}`
    : `${shown(exchange)}, which is no reply of the gateway`
  const remedy = isReply
    ? signatureAdvice(call, 'not asked')
    : `${PROXY} Only if the gateway itself answers so, ${whatToCompare(call)}`
  const details = { ...evidence(call, seen, httpStatus), isReply, remedy }
  return { kind: 'rejected', isReply, error: new AuthRejectedError(details, answer ?? {}) }
}

/** JSON of a proxy may have a `type` as well (RFC 9457): then it says the rest in fields that are none of the interface's. */
function isOfInterface({ kind, reply }: Exclude<FailedReply, { kind: 'no-reply' }>): boolean {
  const { serialNumber, clientOrderId, endpointId, errorMessage, errorCode, extra } = reply
  const said = serialNumber ?? clientOrderId ?? endpointId ?? errorMessage ?? errorCode
  return kind === 'validation-error' || said !== undefined || Object.keys(extra).length === 0
}

const PROXY =
  'A proxy or firewall in between may have refused it: ask who runs it, and whether it lets this machine and its User-Agent through.'

function noReply(
  call: ClassifiedCall<OperationKey>,
  seen: string,
  httpStatus?: number,
  isReply?: boolean,
): FailedVerdict {
  return { kind: 'unknown', error: new NoReplyError({ ...evidence(call, seen, httpStatus), isReply }) }
}

function evidence(call: ClassifiedCall<OperationKey>, seen: string, httpStatus?: number): ExchangeEvidence {
  const { operation, clientOrderId, isRead } = call
  const text = httpStatus === 404 ? `${seen}; ${addressOf(call)}` : seen
  return { operation, clientOrderId, seen: text, httpStatus, isRead }
}

/** The address of the request. It holds no secret: a profile refuses an address with a user or query. */
function addressOf({ key, endpoint, profile }: ClassifiedCall<OperationKey>): string {
  return `the URL was ${operationUrl(key, endpoint, profile)}; baseUrl is the address with its path prefix, without /api/v2`
}

function quote(answer: GatewayAnswer | undefined): string {
  return answer?.errorMessage === undefined ? '' : `: "${answer.errorMessage.replace(/\.$/, '')}"`
}

/** With the media type, without its parameters: cut because the other side chooses its length. */
function shown({ httpStatus, mediaType }: Replied): string {
  return `HTTP ${httpStatus} with ${mediaType.split(';', 1)[0]?.trim().slice(0, 60) || 'no media type'}`
}

/** The ids that a reply may name. */
interface NamedOrder {
  readonly clientOrderId?: string | undefined
  readonly orderId?: string | undefined
}

/** The ids that the request names. */
interface AskedOrder {
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
}

const ANOTHER = 'names another order'

/** The format that an order id must have to ask for the order's status. */
const ORDER_ID = catalogue.status.request.fields.orderId.format

/** Whether a reply is about another of our orders: even a refusal, it was mixed up on the way. */
function isAnother(asked: AskedOrder, named: NamedOrder): boolean {
  return differ(asked.clientOrderId, named.clientOrderId)
}

/**
 * What is wrong with the order that a reply names, if anything. A reply has no signature: only the connection and the ids in
 * it tie it to its request. A status that names no order says nothing (gaps part 9). Only a status must repeat the gateway's id
 * from the request: the gateway may have given a capture an id of its own.
 */
function wrongOrder(
  { key, orderId: asked }: AskedOrder & { readonly key: OperationKey },
  { orderId }: NamedOrder,
): string | undefined {
  if (orderId !== undefined && ORDER_ID.read(orderId) === undefined) return 'names no order id'
  if (key !== 'status') return undefined
  return orderId === undefined ? 'names no order' : differ(asked, orderId) ? ANOTHER : undefined
}

/** A reply with our client order id and another order id was not mixed up: the gateway has another order under our id. */
function otherUnderOurs(asked: AskedOrder, { clientOrderId, orderId }: NamedOrder): string | undefined {
  return clientOrderId === asked.clientOrderId ? orderId : undefined
}

function differ(own: string | undefined, named: string | undefined): boolean {
  return own !== undefined && named !== undefined && own !== named
}
