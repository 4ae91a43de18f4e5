import {
  catalogue,
  encodeRequest,
  InvalidInputError,
  type NotSentError,
  type Operation,
  type OperationKey,
  type Pair,
  parseRequest,
  type RequestInput,
  serializeForm,
} from '@tallystick/core'
import {
  type FieldIssue,
  fieldsOf,
  Masked,
  maskSent,
  REQUEST_LIMITS,
  type RequestValues,
  ROW_OPERATIONS,
  type RowsKey,
  readRecurringRows,
} from '@tallystick/core/internal'
import {
  alarm,
  type CallEnded,
  isEndHeard,
  isStartHeard,
  publishEnded,
  recordCall,
  runPublished,
} from '../diagnostics.ts'
import type { Dependencies } from '../options.ts'
import type { Exchange, OutgoingRequest } from '../transport/transport.ts'
import { authenticate } from './authenticate.ts'
import { type Acceptance, type ClassifiedCall, classify, type FailedVerdict, type Verdict } from './classify.ts'

/** What a call proved, or that its request never fitted the model. */
type CallVerdict<K extends OperationKey> = Acceptance<K> | FailedCall

export type FailedCall =
  | Exclude<FailedVerdict, { kind: 'notSent' }>
  | { readonly kind: 'notSent'; readonly error: InvalidInputError | NotSentError }

/**
 * One call: check, sign, send once, judge. The only effect is `transport.send`. The input is read before that and
 * never after, so the caller may change it while waiting.
 *
 * @throws TypeError when the caller misuses the library: an RSA operation without a key. Nothing was sent then.
 */
export function call<K extends OperationKey>(
  key: K,
  input: RequestInput<K>,
  signal: AbortSignal | undefined,
  deps: Dependencies,
): Promise<CallVerdict<K>> {
  const built = buildRequest(key, input, deps)
  if (built instanceof InvalidInputError) return Promise.resolve({ kind: 'notSent', error: built })
  const { request, sent } = built
  const described = { ...describeCall(key, input, deps), sent }
  if (!isStartHeard()) return sendAndJudge(request, described, signal, deps)
  return runPublished(aboutCall(described), deps, () => sendAndJudge(request, described, signal, deps))
}

async function sendAndJudge<K extends OperationKey>(
  request: OutgoingRequest,
  described: ClassifiedCall<K>,
  signal: AbortSignal | undefined,
  deps: Dependencies,
): Promise<Verdict<K>> {
  const began = deps.clock.now()
  let exchange: Exchange
  try {
    exchange = hiding(exchangeOf(await deps.transport.send(request, { timeoutMs: deps.timeoutMs, signal })), described)
  } catch {
    // A transport must not throw. What was thrown may hold the request.
    exchange = { kind: 'lost', seen: 'the transport threw an error' }
  }
  const verdict = classify(described, exchange)
  if (isRedirect(exchange)) alarm({ ...aboutCall(described), what: 'redirected' }, deps)
  if (isEndHeard(deps) || deps.recorder !== undefined) {
    const at = deps.clock.now()
    const { kind: outcome, error }: JudgedCall = verdict
    const { code, httpStatus, seen } = error ?? {}
    const ended: CallEnded = { ...aboutCall(described), outcome, code, httpStatus, milliseconds: at - began }
    if (isEndHeard(deps)) publishEnded(ended, deps)
    recordCall(ended, { at, seen }, deps)
  }
  return verdict
}

/** If a transport does not return an `Exchange`, it is not known whether it sent the request. */
function exchangeOf(given: unknown): Exchange {
  return isExchange(given) ? given : { kind: 'lost', seen: 'the transport returned no Exchange' }
}

/** The card that was sent goes no further than this, wherever the other side quotes it. */
function hiding(exchange: Exchange, { sent, clientOrderId = '' }: ClassifiedCall<OperationKey>): Exchange {
  // A merchant's own id that is the card number must still be found in the reply.
  if (maskSent(clientOrderId, sent) !== clientOrderId) return exchange
  if (exchange.kind !== 'replied') return { ...exchange, seen: maskSent(exchange.seen, sent) }
  return { ...exchange, body: maskSent(exchange.body, sent), mediaType: maskSent(exchange.mediaType, sent) }
}

function isRedirect(exchange: Exchange): boolean {
  return exchange.kind === 'replied' && exchange.httpStatus >= 300 && exchange.httpStatus < 400
}

function aboutCall({ operation, clientOrderId, orderId, endpoint }: ClassifiedCall<OperationKey>) {
  return { operation, clientOrderId, orderId, endpointId: endpoint.id }
}

/** The part of a verdict that is reported, the same for every operation. */
interface JudgedCall {
  readonly kind: CallEnded['outcome']
  readonly error?: FailedVerdict['error']
}

interface Built {
  readonly request: OutgoingRequest
  /** The card data in it. */
  readonly sent: readonly Masked[]
}

function buildRequest<K extends OperationKey>(
  key: K,
  input: RequestInput<K>,
  deps: Dependencies,
): Built | InvalidInputError {
  const operation: Operation = catalogue[key]
  const url = deps.urlOf(key)
  const parsed = parseRequest(key, named(operation, input, deps), deps.profile)
  if (!parsed.ok) return new InvalidInputError(operation.name, parsed.issues)
  const request = authenticate({ key, url, values: parsed.value }, deps)
  if (request instanceof InvalidInputError) return request
  const values = [parsed.value, ...rowsOf(key, parsed.value, deps)].flatMap((of) => Object.values(of))
  const sent = values.filter((value: unknown) => value instanceof Masked)
  if (request.body.length <= REQUEST_LIMITS.maxBytes) return { request, sent }
  return new InvalidInputError(operation.name, [isTooLarge(encodeRequest(key, parsed.value, deps.profile), key, deps)])
}

/** What the rows of a plural form say, as far as the gateway can read them. */
function rowsOf(key: OperationKey, values: object, { profile }: Dependencies): readonly object[] {
  if (!isRowsKey(key)) return []
  const rows = readRecurringRows(key, values as RequestValues<RowsKey>, { login: '-', profile })
  return typeof rows === 'string' ? [] : rows.flatMap(({ parsed }) => (parsed.ok ? [parsed.value] : []))
}

function isRowsKey(key: OperationKey): key is RowsKey {
  return Object.hasOwn(ROW_OPERATIONS, key)
}

/** A gateway could not say which field it is: it reads no further. The longest is named. */
function isTooLarge(pairs: readonly Pair[], key: OperationKey, { profile }: Dependencies): FieldIssue {
  const lengths = pairs.map((pair) => [serializeForm([pair]).length, pair[0]] as const)
  const [length, wireName] = lengths.reduce((one, other) => (other[0] > one[0] ? other : one))
  const field = catalogue[key].request.spelling(profile.wireNames).read.get(wireName) ?? 'extra'
  const problem = `must be shorter: encoded it takes ${length} bytes, and a request has at most ${REQUEST_LIMITS.maxBytes}`
  return { field, wireName, problem, remedy: 'Shorten it. A letter beyond ASCII takes 6 bytes or more.' }
}

/** Adds the login if the operation has it as a field, or the gateway wants it all the same. Without types the caller may pass anything as the input. */
function named(
  operation: Operation,
  input: object,
  { login, endpoint, profile }: Dependencies,
): Readonly<Record<string, unknown>> {
  const given = fieldsOf(operation, input)
  if (operation === catalogue.processRecurringPayment && profile.recurringLogin)
    return { ...given, extra: { ...Object(given['extra']), login, endpoint: endpoint.id } }
  return 'login' in operation.request.fields ? { ...given, login } : given
}

function describeCall<K extends OperationKey>(
  key: K,
  input: RequestInput<K>,
  { profile, login, endpoint }: Dependencies,
): Omit<ClassifiedCall<K>, 'sent'> {
  const { clientOrderId, orderId } = input as { readonly clientOrderId?: unknown; readonly orderId?: unknown }
  const { name: operation, effect } = catalogue[key]
  const ids = { clientOrderId: trimmed(clientOrderId), orderId: trimmed(orderId) }
  return { key, operation, ...ids, isRead: effect === 'reads', profile, login, endpoint }
}

function trimmed(id: unknown): string | undefined {
  return typeof id === 'string' ? id.trim() || undefined : undefined
}

/** Whether a transport gave what it must. One without types may give anything, such as the `null` of an absent header. */
function isExchange(given: unknown): given is Exchange {
  const { kind, seen, httpStatus, mediaType, body } = Object(given) as Readonly<Record<string, unknown>>
  switch (kind) {
    case 'replied':
      return Number.isInteger(httpStatus) && typeof mediaType === 'string' && typeof body === 'string'
    case 'not-sent':
    case 'lost':
      return typeof seen === 'string'
    default:
      return false
  }
}
