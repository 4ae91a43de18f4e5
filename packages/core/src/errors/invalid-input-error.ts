import { PaymentError } from './payment-error.ts'

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
