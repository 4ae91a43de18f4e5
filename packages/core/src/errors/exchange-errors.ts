import { maskCardNumbers } from '../sensitive/mask-card-numbers.ts'
import { PaymentError } from './payment-error.ts'

/** What is known of an exchange with the gateway. Never holds the body that was sent. */
export interface ExchangeEvidence {
  /** The operation as the catalogue names it, such as `SALE`. */
  readonly operation: string
  /** The merchant's order id, where the request has one: ask for the status by it. */
  readonly clientOrderId?: string | undefined
  /** What was seen, in a few words: `the connection was refused`, `HTTP 502 with text/html`. */
  readonly seen: string
  /** The HTTP status, where one was read. */
  readonly httpStatus?: number | undefined
  /** Whether the operation only reads, so that it may simply be asked again. */
  readonly isRead?: boolean | undefined
}

/** An answer of the gateway that is no success. */
export interface GatewayAnswer {
  readonly errorMessage?: string | undefined
  /** Decimal number or text, as the gateway sends it. */
  readonly errorCode?: string | undefined
  /** The gateway's number of the request. Quote it to the gateway's support. */
  readonly serialNumber?: string | undefined
}

/** Longer texts of the other side are cut: nobody reads them, and they could be made to cost time. */
const MOST_QUOTED = 2000

/** The other side may quote what it was sent. A number at the cut is left out whole, since its part would not be known. */
function quoted(text: string): string {
  const short = text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED).replace(/[\d -]{1,40}$/, '')}...` : text
  return maskCardNumbers(short)
}

abstract class ExchangeError extends PaymentError {
  readonly operation: string
  readonly clientOrderId: string | undefined
  readonly seen: string
  readonly httpStatus: number | undefined

  constructor(evidence: ExchangeEvidence, remedy: string) {
    const seen = quoted(evidence.seen)
    super(`${evidence.operation}: ${seen}. ${remedy}`)
    this.operation = evidence.operation
    this.clientOrderId = evidence.clientOrderId
    this.seen = seen
    this.httpStatus = evidence.httpStatus
  }
}

/**
 * It is certain that not one byte of the request left: refused, no route, no DNS answer, TLS failure, aborted before.
 * The same request may be sent again.
 */
export class NotSentError extends ExchangeError {
  readonly code = 'NOT_SENT'
  readonly retry = 'safe'

  constructor(evidence: ExchangeEvidence) {
    super(evidence, 'Nothing was sent: check the address and the network, then send the same request again.')
  }
}

/**
 * No reply was read, so the transaction may or may not exist.
 * Ask for its status by `clientOrderId`; never send the operation again. What only reads may be asked again.
 */
export class NoReplyError extends ExchangeError {
  readonly code = 'NO_REPLY'
  readonly retry: 'after-status' | 'safe'

  constructor(evidence: ExchangeEvidence) {
    super(evidence, evidence.isRead ? READ_AGAIN : 'It may have taken effect: ask for its status, never send it again.')
    this.retry = evidence.isRead ? 'safe' : 'after-status'
  }
}

const READ_AGAIN = 'Nothing was changed by asking: ask again.'

abstract class AnswerError extends ExchangeError {
  readonly errorMessage: string | undefined
  readonly errorCode: string | undefined
  readonly serialNumber: string | undefined

  constructor(evidence: ExchangeEvidence, answer: GatewayAnswer, remedy: string) {
    super(evidence, remedy)
    this.errorMessage = answer.errorMessage === undefined ? undefined : quoted(answer.errorMessage)
    this.errorCode = answer.errorCode === undefined ? undefined : quoted(answer.errorCode)
    this.serialNumber = answer.serialNumber
  }
}

/** The gateway refused the request (`validation-error`): nothing was created. Mend the request as the message says. */
export class RejectedError extends AnswerError {
  readonly code = 'REJECTED'
  readonly retry = 'never'

  constructor(evidence: ExchangeEvidence, answer: GatewayAnswer) {
    super(
      evidence,
      answer,
      evidence.isRead
        ? 'Mend the request as the gateway says.'
        : 'Nothing was created: mend the request as the gateway says.',
    )
  }
}

/** The gateway did not accept the signature (401 or 403). Check login, key, endpoint and clock. */
export class AuthRejectedError extends AnswerError {
  readonly code = 'AUTH_REJECTED'
  readonly retry = 'never'

  constructor(evidence: ExchangeEvidence, answer: GatewayAnswer) {
    super(evidence, answer, 'Check the login, the key, the endpoint id and the clock of this machine.')
  }
}

/**
 * The gateway reported a failure of its own (`error`), or answered without an order id.
 * A money operation may have taken effect: ask for its status.
 */
export class GatewayError extends AnswerError {
  readonly code = 'GATEWAY_ERROR'
  readonly retry: 'after-status' | 'safe'

  constructor(evidence: ExchangeEvidence, answer: GatewayAnswer) {
    super(evidence, answer, evidence.isRead ? READ_AGAIN : 'Ask for the status before anything else.')
    this.retry = evidence.isRead ? 'safe' : 'after-status'
  }
}
