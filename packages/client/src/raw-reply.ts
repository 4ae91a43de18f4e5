import { maskCardNumbers, type PaymentError } from '@tallystick/core'
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
  return { httpStatus, mediaType: maskCardNumbers(mediaType), body: redacted(body, kept.ids) }
}

/** What is never shown by its name, whatever it looks like: in a form, in JSON, in a page that quotes the request. */
const SECRET =
  /(\b(?:cvv2?|cvc2?|control|oauth_signature|(?:merchant_)?control_key|password|secret)["']?\s*[=:]\s*["']?)[^"'&\s<,}]+/gi

/** Digits in groups, parted as forms part them, too. */
const LONG_NUMBER = /\d(?:(?:[ +-]|%20)?\d){11,}/g

function redacted(body: string, ids: NamedIds): string {
  const known = numbersOf(ids)
  const masked = body.replace(LONG_NUMBER, (run) =>
    known.has(run) ? run : maskCardNumbers(run.replaceAll(/\+|%20/g, ' ')),
  )
  return masked.replace(SECRET, '$1***')
}

/**
 * The long numbers in the ids of the request: of every ten ids of 15 digits one looks like a card number, and a support case
 * is about that order. Only a number that is whole the same is one of them; no id that the other side names is.
 */
function numbersOf({ clientOrderId = '', orderId = '' }: NamedIds): ReadonlySet<string> {
  return new Set(`${clientOrderId}/${orderId}`.match(LONG_NUMBER))
}
