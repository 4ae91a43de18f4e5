import { redact, redactedId } from '../sensitive/redact.ts'
import { errorUrl } from './error-page.ts'
import { PaymentError } from './payment-error.ts'

/** What is known about an exchange with the gateway. Never holds the body that was sent. */
export interface ExchangeEvidence {
  /** As the catalogue names it, such as `SALE`. */
  readonly operation: string
  readonly clientOrderId?: string | undefined
  /** What was seen, in a few words: `the connection was refused`, `HTTP 502 with text/html`. */
  readonly seen: string
  readonly httpStatus?: number | undefined
  /** Whether it only reads, so that it may simply be asked again. */
  readonly isRead?: boolean | undefined
  /** Whether a reply of the interface says so. Default true. A page may be a proxy's. */
  readonly isReply?: boolean | undefined
  /** What to do, if more is known about the cause than the kind of error says. */
  readonly remedy?: string | undefined
  /** The order that a status named under the merchant's order id, instead of the requested one. */
  readonly otherOrderId?: string | undefined
}

/** An answer of the gateway that is no success. */
export interface GatewayAnswer {
  readonly errorMessage?: string | undefined
  /** Decimal number or text, as the gateway sends it. */
  readonly errorCode?: string | undefined
  /** The gateway's number of the request. */
  readonly serialNumber?: string | undefined
}

/** Longer texts of the other side are cut: nobody reads them, and an attacker could make them cost time. */
const MOST_QUOTED = 2000

/** Words, and escapes, whose letters are not part of one. */
const ESCAPE_OR_WORD = /%[0-9a-f]{0,2}|[a-z]+/gi

/** Longer than any card number, even with escaped digits and separators. */
const MOST_OF_A_NUMBER = 300

/** The other side may quote the request. A number at the cut is left out whole: a part of it would not be recognized. */
function quoted(text: string): string {
  return redact(text.length > MOST_QUOTED ? `${withoutNumberAtEnd(text.slice(0, MOST_QUOTED))}...` : text)
}

/** Up to the last word. */
function withoutNumberAtEnd(text: string): string {
  let end = text.length - MOST_OF_A_NUMBER
  for (const { 0: found, index } of text.matchAll(ESCAPE_OR_WORD)) {
    if (!found.startsWith('%')) end = Math.max(end, index + found.length)
  }
  return text.slice(0, end)
}

abstract class ExchangeError extends PaymentError {
  /** The operation as the catalogue names it, such as `SALE`. */
  readonly operation: string
  /** The merchant's order id, if the request has one: ask for the status by it. */
  readonly clientOrderId: string | undefined
  /** What was seen, in a few words. For the log: it decides nothing. */
  readonly seen: string
  /** The HTTP status, if one was read. */
  readonly httpStatus: number | undefined
  /** Whether a page came that is no reply of the gateway, such as that of a proxy or firewall: it says nothing about the gateway. */
  readonly isPage: boolean
  /** What to do, as a sentence. It is part of the message. */
  readonly remedy: string

  /** @param first what the message begins with: what was seen, or its cause, with what to do */
  constructor(evidence: ExchangeEvidence, usual: string, first: 'seen' | 'cause' = 'seen') {
    const seen = quoted(evidence.seen)
    const remedy = evidence.remedy ?? usual
    super(`${evidence.operation}: ${first === 'seen' ? `${seen}. ${remedy}` : `${remedy} Seen: ${seen}.`}`)
    this.remedy = remedy
    this.operation = evidence.operation
    this.clientOrderId = evidence.clientOrderId
    this.seen = seen
    this.httpStatus = evidence.httpStatus
    this.isPage = evidence.isReply === false
  }
}

/**
 * It is certain that not one byte of the request left: refused, no route, no DNS answer, TLS failure, aborted before.
 * The same request may be sent again.
 */
export class NotSentError extends ExchangeError {
  /** Not one byte left. */
  readonly code = 'NOT_SENT'
  /** What to do about it, in the documentation. */
  readonly url = errorUrl('client', 'NOT_SENT')
  /** The same request may be sent again. */
  readonly retry = 'safe'

  constructor(evidence: ExchangeEvidence) {
    super(evidence, 'Nothing was sent: check the address and the network, then send the same request again.')
  }
}

/**
 * No reply was read, so the transaction may or may not exist.
 * Ask for its status by `clientOrderId`; never send the operation again. Reads may be repeated.
 */
export class NoReplyError extends ExchangeError {
  /** It was sent, and no whole reply of the gateway was read. */
  readonly code = 'NO_REPLY'
  /** What to do about it, in the documentation. */
  readonly url = errorUrl('client', 'NO_REPLY')
  /** `after-status`: first ask for the status. `safe`: it only reads, ask again. */
  readonly retry: 'after-status' | 'safe'
  /**
   * The gateway's id of the order that a status named under the merchant's order id, instead of the requested one: the
   * gateway has another order there. Check it.
   */
  readonly otherOrderId: string | undefined

  constructor(evidence: ExchangeEvidence) {
    super(evidence, evidence.isRead ? READ_AGAIN : 'It may have taken effect: ask for its status, never send it again.')
    const { isRead, otherOrderId } = evidence
    this.retry = isRead ? 'safe' : 'after-status'
    this.otherOrderId = otherOrderId === undefined ? undefined : redactedId(otherOrderId)
  }
}

const READ_AGAIN = 'Nothing was changed by asking: ask again.'

abstract class AnswerError extends ExchangeError {
  /** The gateway's words about the cause, card numbers masked, secrets left out. For people: no list of them is public. */
  readonly errorMessage: string | undefined
  /** The gateway's own number or word for the cause. Its documentation says what it means. */
  readonly errorCode: string | undefined
  /** The gateway's number of the request. Quote it to the gateway's support. */
  readonly serialNumber: string | undefined

  constructor(evidence: ExchangeEvidence, answer: GatewayAnswer, usual: string, first?: 'seen' | 'cause') {
    super(evidence, usual, first)
    this.errorMessage = answer.errorMessage === undefined ? undefined : quoted(answer.errorMessage)
    this.errorCode = answer.errorCode === undefined ? undefined : quoted(answer.errorCode)
    this.serialNumber = answer.serialNumber === undefined ? undefined : redactedId(answer.serialNumber)
  }
}

/** The gateway refused the request (`validation-error`): nothing was created. Fix the request as the message says. */
export class RejectedError extends AnswerError {
  /** The gateway refused the request. */
  readonly code = 'REJECTED'
  /** What to do about it, in the documentation. */
  readonly url = errorUrl('client', 'REJECTED')
  /** It would be refused again. */
  readonly retry = 'never'

  constructor(evidence: ExchangeEvidence, answer: GatewayAnswer) {
    super(
      evidence,
      answer,
      evidence.isRead
        ? 'Fix the request as the gateway says.'
        : 'Nothing was created: fix the request as the gateway says.',
    )
  }
}

const WRONG_KEY = 'Wrong key, login or endpoint: compare them with those that the gateway gave you.'

/**
 * A 401 or 403. With `isReply` the gateway did not accept the signature: compare what `remedy` names. Without it a page came that is no
 * reply of the gateway, such as that of a proxy or firewall: it says nothing about the login and the key.
 */
export class AuthRejectedError extends AnswerError {
  /** The gateway refused the signature. */
  readonly code = 'AUTH_REJECTED'
  /** What to do about it, in the documentation. */
  readonly url = errorUrl('client', 'AUTH_REJECTED')
  /** It would be refused again. */
  readonly retry = 'never'

  /** Whether a reply of the interface says so. */
  readonly isReply: boolean

  constructor(evidence: ExchangeEvidence, answer: GatewayAnswer) {
    const { isReply = true } = evidence
    if (isReply) super(evidence, answer, WRONG_KEY, 'cause')
    else super(evidence, answer, 'Find out who answers there: it may be a proxy or firewall.')
    this.isReply = isReply
  }
}

/**
 * The gateway reported a failure of its own (`error`), or answered without an order id.
 * A money operation may have taken effect: ask for its status.
 */
export class GatewayError extends AnswerError {
  /** The gateway failed, or named no order. */
  readonly code = 'GATEWAY_ERROR'
  /** What to do about it, in the documentation. */
  readonly url = errorUrl('client', 'GATEWAY_ERROR')
  /** `after-status`: first ask for the status. `safe`: it only reads, ask again. */
  readonly retry: 'after-status' | 'safe'

  constructor(evidence: ExchangeEvidence, answer: GatewayAnswer) {
    super(evidence, answer, evidence.isRead ? READ_AGAIN : 'Ask for the status before anything else.')
    this.retry = evidence.isRead ? 'safe' : 'after-status'
  }
}
