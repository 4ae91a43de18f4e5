import { maskCardNumbers, type PaymentError, redactSecrets } from '@tallystick/core'
import type { Exchange } from './transport.ts'

/** A reply as it arrived, for a support case. */
export interface RawReply {
  readonly httpStatus: number
  readonly mediaType: string
  /**
   * Redacted: card numbers are masked, and the values of a CVV, a control or a key are left out. The ids that the request named
   * its order by are shown.
   */
  readonly body: string
}

type Replied = Extract<Exchange, { kind: 'replied' }>

/** The ids that the request named its order by. */
interface NamedIds {
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
}

interface Kept {
  readonly reply: Replied
  readonly ids: NamedIds
}

/** Beside the errors, not in them: no way of printing an error gets here, and it goes when the error goes. */
const replies = new WeakMap<PaymentError, Kept>()

export function keepRawReply(error: PaymentError, reply: Replied, { clientOrderId, orderId }: NamedIds): void {
  replies.set(error, { reply, ids: { clientOrderId, orderId } })
}

/** For an error that stands for another. */
export function handOnRawReply(from: PaymentError, to: PaymentError): void {
  const kept = replies.get(from)
  if (kept !== undefined) replies.set(to, kept)
}

/**
 * The reply that an error was read from, redacted; `undefined` where no whole one came. It belongs into a support case, not
 * into a log: it may name the customer.
 */
export function rawReplyOf(error: PaymentError): RawReply | undefined {
  const kept = replies.get(error)
  if (kept === undefined) return undefined
  const { httpStatus, mediaType, body } = kept.reply
  return { httpStatus, mediaType: redactSecrets(maskCardNumbers(mediaType)), body: redacted(body, kept.ids) }
}

/** Digits in groups, parted as forms part them, too. */
// Linear: from a digit it goes eleven further at most before it fits for good.
const LONG_NUMBER = /\d(?:(?:[ +-]|%20)?\d){11,}/g

/** Whatever stands between the known numbers is masked. */
function redacted(body: string, ids: NamedIds): string {
  const known = numbersOf(ids)
  let shown = ''
  let end = 0
  for (const { 0: run, index } of body.matchAll(LONG_NUMBER)) {
    if (!known.has(run)) continue
    shown += maskCardNumbers(body.slice(end, index)) + run
    end = index + run.length
  }
  return redactSecrets(shown + maskCardNumbers(body.slice(end)))
}

/**
 * The long numbers in the ids of the request: of every ten ids of 15 digits one looks like a card number, and a support case
 * is about that order. Only a number that is whole the same is one of them; no id that the other side names is.
 */
function numbersOf({ clientOrderId = '', orderId = '' }: NamedIds): ReadonlySet<string> {
  return new Set(`${clientOrderId}/${orderId}`.match(LONG_NUMBER))
}
