import {
  AuthRejectedError,
  catalogue,
  GatewayError,
  NoReplyError,
  type Operation,
  type OperationKey,
  type PaymentError,
  type RejectedError,
  type RequestInput,
} from '@tallystick/core'
import type { ExchangeEvidence } from '@tallystick/core/internal'
import { alarm, warn } from '../diagnostics.ts'
import { type Dependencies, forCall } from '../options.ts'
import type { CallOptions, OperationResult, Unknown } from '../result.ts'
import { call, type FailedCall } from './call.ts'
import { handOnRawReply } from './errors.ts'
import { read } from './read.ts'
import { type SignedCall, type StatusTaken, saysNoSuchOrder, signatureAdvice } from './refusals.ts'

/** The ids by which every request that was sent names its order. */
interface OrderNames {
  readonly clientOrderId: string
  /** Only captures, voids, returns, uploads and the second step of a payout know it. */
  readonly orderId: string | undefined
}

/**
 * Sends an operation that changes something, once, and returns how it ended.
 *
 * @throws TypeError when the caller misuses the library. Whatever is thrown was thrown before anything was sent.
 */
export async function operate<K extends OperationKey>(
  key: K,
  input: RequestInput<K>,
  options: CallOptions,
  now: () => Dependencies,
): Promise<OperationResult<K>> {
  const here = forCall(options, now())
  const { signal, ...where } = options
  // It is not checked yet: without types the caller may pass anything.
  const { clientOrderId, orderId, customerIp } = Object(input) as OrderNames & { readonly customerIp?: unknown }
  here.watchAddress(customerIp)
  warnOfBorder(key, clientOrderId, here)
  const verdict = await call(key, input, signal, here)
  if (verdict.kind === 'accepted') return { outcome: 'accepted', reply: verdict.reply, error: undefined }
  const order = { clientOrderId, orderId }
  const ask: Ask = (again) => read('status', order, { ...where, ...again }, now())
  return resultOf(key, await confirmRefusal(key, verdict, order, signal, here), ask)
}

/** Asks for the status at the operation's endpoint, for the same merchant, signed with their keys of that moment. */
type Ask = Unknown['resolve']

/** A stored card and a schedule have no status to ask for, and rows of charges have one each. */
function resultOf<K extends OperationKey>(key: K, { kind, error }: FailedCall, resolve: Ask): OperationResult<K> {
  const { effect, request }: Operation = catalogue[key]
  const canAsk = kind === 'unknown' && effect !== 'stores-card' && 'clientOrderId' in request.fields
  return (canAsk ? { outcome: kind, error, resolve } : { outcome: kind, error }) as OperationResult<K>
}

/** A control has no separator between the client order id and the amount next to it (specification part 5.1). */
function warnOfBorder(key: OperationKey, clientOrderId: unknown, deps: Dependencies): void {
  if (catalogue[key].auth.scheme !== 'control' || typeof clientOrderId !== 'string') return
  if (!hasShiftingBorder(clientOrderId)) return
  warn(
    `clientOrderId ${clientOrderId} begins or ends with a digit, which a control cannot tell from the amount beside ` +
      'it; begin and end it with a letter, or use newClientOrderId()',
    deps,
  )
}

/**
 * Whether a character of this id could be mistaken for a digit of the term signed beside it: it begins or ends with a digit.
 * The gateway of tallystick is proof against this, others may not be.
 */
export function hasShiftingBorder(clientOrderId: string): boolean {
  return /^\d|\d$/.test(clientOrderId.trim())
}

/**
 * Asks for the status once before a money operation counts as refused (docs/guides/unknown.md). If an order of this client
 * order id exists all the same, the refusal proves nothing about it, and its status decides. If the status says nothing, a
 * refusal by a reply of the interface stands; one by any other page proves nothing, because a proxy may have sent it.
 *
 * Asks only for operations that make an order. That the order of a capture, void or return exists says nothing about these:
 * there the change since an earlier status decides, which a journal has. A stored card and a schedule have no status, and rows
 * of charges have one each.
 */
async function confirmRefusal(
  key: OperationKey,
  verdict: FailedCall,
  { clientOrderId, orderId }: OrderNames,
  signal: AbortSignal | undefined,
  deps: Dependencies,
): Promise<FailedCall> {
  const { effect, request }: Operation = catalogue[key]
  if (verdict.kind !== 'rejected' || effect === 'uploads') return verdict
  const hasStatus = effect !== 'stores-card' && 'clientOrderId' in request.fields
  if (!hasStatus || orderId !== undefined) return verdict.isReply ? verdict : doubted(verdict.error)
  const status = await call('status', { clientOrderId }, signal, deps)
  if (status.kind !== 'accepted') {
    const taken = statusTaken(status.error)
    const error = withAdvice(verdict.error, taken, { key, ...deps })
    // The gateway itself said that there is no such order, or refused the signature of the status as well.
    const isConfirmed = status.kind === 'rejected' && status.isReply && taken !== 'not asked'
    return verdict.isReply || isConfirmed ? { ...verdict, error } : doubted(error)
  }
  const { operation, seen } = verdict.error
  alarm({ operation, clientOrderId, endpointId: deps.endpoint.id, what: 'refused-but-exists' }, deps)
  const changes = { seen: `${seen}, and yet an order of this client order id exists` }
  return {
    kind: 'unknown',
    error: errorAs(verdict.error, changes, (evidence) => new GatewayError(evidence, verdict.error)),
  }
}

type Refusal = RejectedError | AuthRejectedError

function doubted(refusal: Refusal): FailedCall {
  const seen = refusal.seen.endsWith('no reply of the gateway')
    ? refusal.seen
    : `${refusal.seen}, but not by a reply of the gateway`
  const remedy = `A proxy may say so after the gateway has acted: find out before you send anything again. ${refusal.remedy}`
  return { kind: 'unknown', error: errorAs(refusal, { seen, remedy }, (evidence) => new NoReplyError(evidence)) }
}

/** Adds to a refused signature what the status says about the cause: the same login and control key sign it. */
function withAdvice(refusal: Refusal, taken: StatusTaken, call: SignedCall): Refusal {
  if (refusal.code !== 'AUTH_REJECTED') return refusal
  const advice = signatureAdvice(call, taken)
  const remedy = refusal.isReply || taken !== 'not asked' ? advice : refusal.remedy
  return errorAs(refusal, { remedy }, (evidence) => new AuthRejectedError(evidence, refusal))
}

/** Another error of the same exchange, with its reply. */
function errorAs<Made extends PaymentError>(
  refusal: Refusal,
  changes: Partial<ExchangeEvidence>,
  make: (evidence: ExchangeEvidence) => Made,
): Made {
  const { operation, clientOrderId, httpStatus, seen } = refusal
  const isReply = refusal.code === 'AUTH_REJECTED' ? refusal.isReply : undefined
  const error = make({ operation, clientOrderId, httpStatus, seen, isReply, ...changes })
  handOnRawReply(refusal, error)
  return error
}

/** A status that got no answer, or was refused for another reason, says nothing. */
function statusTaken(ofStatus: PaymentError): StatusTaken {
  if (ofStatus.code === 'AUTH_REJECTED') return ofStatus.isReply ? 'refused' : 'not asked'
  return saysNoSuchOrder(ofStatus) ? 'taken' : 'not asked'
}
