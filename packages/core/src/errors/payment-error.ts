import { errorUrl } from './error-page.ts'

/**
 * What a caller may do after an error: `never` send it again as it is, ask for the status first (`after-status`), or
 * send it again (`safe`), because nothing left this machine.
 */
export type Retry = 'never' | 'after-status' | 'safe'

/** The closed set of codes. Branch on these, after {@link isPaymentError}. */
export type PaymentErrorCode =
  | 'INVALID_INPUT'
  | 'MALFORMED_FORM'
  | 'NOT_SENT'
  | 'NO_REPLY'
  | 'REJECTED'
  | 'AUTH_REJECTED'
  | 'GATEWAY_ERROR'

/** What every error of tallystick has. Messages name the remedy and never hold a card number, a CVV or a key. */
export abstract class PaymentError extends Error {
  /** What happened: branch on it. */
  abstract readonly code: PaymentErrorCode
  /** What may be done next: `never`, `after-status` or `safe`. */
  abstract readonly retry: Retry
  /** What the documentation says about the `code`. */
  abstract readonly url: string

  override get name(): string {
    return this.constructor.name
  }
}

/** One wrong field of a request. Holds no value of the request. */
export interface FieldIssue {
  /** The field's name in the models, such as `expireMonth`. */
  readonly field: string
  /** Its spelling on the wire, such as `expire_month`. */
  readonly wireName: string
  /** What is wrong, with the bound: `must be 01 to 12`. */
  readonly problem: string
  /** What to do about it, as a sentence. */
  readonly remedy: string
}

/**
 * A request does not fit its model. Nothing was sent.
 * Fix the fields named in `issues` and call again.
 */
export class InvalidInputError extends PaymentError {
  /** Nothing was sent: fields are wrong. */
  readonly code = 'INVALID_INPUT'
  /** Fix the fields first. */
  readonly retry = 'never'
  /** What to do about it, in the documentation. */
  readonly url = errorUrl('client', 'INVALID_INPUT')
  /** The operation as the catalogue names it, such as `SALE`. */
  readonly operation: string
  /** The wrong fields, each with what is wrong and what to do. */
  readonly issues: readonly FieldIssue[]

  constructor(operation: string, issues: readonly FieldIssue[]) {
    super([`${operation}: the request does not fit its model.`, ...issues.map(describeOnce)].join('\n  '))
    this.operation = operation
    this.issues = issues
  }
}

/** A sentence or two about a wrong field: both its names, the bound and the remedy. */
export function describeIssue({ field, wireName, problem, remedy }: FieldIssue): string {
  return `${field} (${wireName}) ${problem}. ${remedy}`
}

/** One name is enough for the programmer if both are the same. */
function describeOnce(issue: FieldIssue): string {
  const { field, wireName, problem, remedy } = issue
  return field === wireName ? `${field} ${problem}. ${remedy}` : describeIssue(issue)
}

/** Why a text is not a form. */
export type MalformedForm =
  | 'too-large'
  | 'too-many-pairs'
  | 'empty-name'
  | 'not-ascii'
  | 'invalid-percent'
  | 'repeated-name'

/**
 * A body or query is not a strict `application/x-www-form-urlencoded` text.
 * The sender has to encode it again; nothing of it was used.
 */
export class MalformedFormError extends PaymentError {
  /** It is no form. */
  readonly code = 'MALFORMED_FORM'
  /** It would fail again. */
  readonly retry = 'never'
  /** What to do about it, in the documentation. */
  readonly url = errorUrl('client', 'MALFORMED_FORM')
  /** What is wrong with it. */
  readonly reason: MalformedForm

  constructor(reason: MalformedForm, message: string) {
    super(message)
    this.reason = reason
  }
}
