import { maskCardNumbers, type PaymentError } from '@tallystick/core'
import type { Exchange } from './transport.ts'

/** A reply as it arrived, for a support case. */
export interface RawReply {
  readonly httpStatus: number
  readonly mediaType: string
  /** Redacted: card numbers are masked, and the values of a CVV, a control or a key are left out. */
  readonly body: string
}

type Replied = Extract<Exchange, { kind: 'replied' }>

/** Beside the errors, not in them: no way of printing an error gets here, and it goes when the error goes. */
const replies = new WeakMap<PaymentError, Replied>()

export function keepRawReply(error: PaymentError, reply: Replied): void {
  replies.set(error, reply)
}

/**
 * The reply that an error was read from, redacted; `undefined` where no whole one came. It belongs into a support case, not
 * into a log: it may name the customer.
 */
export function rawReplyOf(error: PaymentError): RawReply | undefined {
  const reply = replies.get(error)
  if (reply === undefined) return undefined
  const { httpStatus, mediaType, body } = reply
  return { httpStatus, mediaType: maskCardNumbers(mediaType), body: redacted(body) }
}

/** What is never shown by its name, whatever it looks like: in a form, in JSON, in a page that quotes the request. */
const SECRET =
  /(\b(?:cvv2?|cvc2?|control|oauth_signature|(?:merchant_)?control_key|password|secret)["']?\s*[=:]\s*["']?)[^"'&\s<,}]+/gi

/** Digits in groups, parted as forms part them, too. */
const LONG_NUMBER = /\d(?:(?:[ +-]|%20)?\d){11,}/g

function redacted(body: string): string {
  const masked = body.replace(LONG_NUMBER, (run) => maskCardNumbers(run.replaceAll(/\+|%20/g, ' ')))
  return masked.replace(SECRET, '$1***')
}
