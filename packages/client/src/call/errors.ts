import { isPaymentError, maskCardNumbers, type PaymentError } from '@tallystick/core'
import { redactSecrets } from '@tallystick/core/internal'
import type { Exchange } from '../transport/transport.ts'

/** A reply as it arrived, for a support case. */
export interface RawReply {
  readonly httpStatus: number
  readonly mediaType: string
  /**
   * Redacted: card numbers are masked; CVVs, controls and keys are left out. The ids by which the request named its order are
   * shown.
   */
  readonly body: string
}

type Replied = Extract<Exchange, { kind: 'replied' }>

/** The ids by which the request named its order. */
interface NamedIds {
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
}

interface Kept {
  readonly reply: Replied
  readonly ids: NamedIds
}

/** Outside of the errors: no way of printing an error shows a reply, and a reply is freed together with its error. */
const replies = new WeakMap<PaymentError, Kept>()

export function keepRawReply(error: PaymentError, reply: Replied, ids: NamedIds): void {
  replies.set(error, { reply, ids })
}

/** For an error that replaces another. */
export function handOnRawReply(from: PaymentError, to: PaymentError): void {
  const kept = replies.get(from)
  if (kept !== undefined) replies.set(to, kept)
}

/**
 * The reply from which an error was read, redacted; `undefined` if no whole one came. For a support case, not for a log: it may
 * name the customer.
 */
export function rawReplyOf(error: PaymentError): RawReply | undefined {
  const kept = replies.get(error)
  if (kept === undefined) return undefined
  const { httpStatus, mediaType, body } = kept.reply
  return { httpStatus, mediaType: redactSecrets(maskCardNumbers(mediaType)), body: redacted(body, kept.ids) }
}

/** Twelve digits or more, grouped or not; forms write a space as `+` or `%20`. */
// Linear: at a digit, at most eleven more decide whether it matches.
const LONG_NUMBER = /\d(?:(?:[ +-]|%20)?\d){11,}/g

/** Masks everything except for the known numbers. */
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
 * The long numbers in the ids of the request. They stay readable: a support case is about that order, and one in ten ids of
 * 15 digits looks like a card number. Only a whole number counts as one of them; an id that only the gateway names never does.
 */
function numbersOf({ clientOrderId = '', orderId = '' }: NamedIds): ReadonlySet<string> {
  return new Set(`${clientOrderId}/${orderId}`.match(LONG_NUMBER))
}

/** What a read gives, or the `PaymentError` that says why it gave nothing. */
export async function answerOrError<Answer>(ask: () => Promise<Answer>): Promise<Answer | PaymentError> {
  try {
    return await ask()
  } catch (error) {
    if (isPaymentError(error)) return error
    throw error
  }
}
