import { type Judgement, judge } from './judgement.ts'

/** Anything that says how a payment ended: a status, an outcome, an order of the gateway. */
export interface Ended {
  /** In a status, or in an order of the gateway. */
  readonly status?: string | undefined
  /** In the result of `waitForOutcome`. Takes precedence over the status. */
  readonly outcome?: string | undefined
  /** Part of the failure message, as are the next two; card numbers in them are masked. */
  readonly errorMessage?: string | undefined
  readonly errorCode?: string | undefined
  /** Part of it too: the step of 3DS that an operation of the gateway waits for. */
  readonly awaits?: string | undefined
  readonly clientOrderId?: string | undefined
  /** In the result of `waitForOutcome`: the status, which says why. */
  readonly reply?: Reason | undefined
  /** In an order of the gateway: the last operation says why. */
  readonly operations?: readonly Reason[] | undefined
}

type Reason = Pick<Ended, 'errorMessage' | 'errorCode' | 'awaits'>

/** The `outcome` of what an operation returns: it looks like the outcome of a payment, but is not. */
const HOW_A_CALL_ENDS: ReadonlySet<unknown> = new Set(['accepted', 'rejected', 'unknown', 'notSent'])

/** Whether a payment was approved: a status reply, the result of `waitForOutcome`, or an order of the gateway. */
export function judgeApproved(given: Ended | null | undefined): Judgement {
  const ended = given ?? {}
  const end = endOf(ended)
  return judge(end === 'approved', `The payment${nameOf(ended)} is ${end}${whyOf(ended)}`)
}

/** @throws TypeError if it is no payment: with `not`, a judgement about it would make the test pass */
function endOf({ outcome, status }: Ended): string {
  if (HOW_A_CALL_ENDS.has(outcome)) {
    throw new TypeError(
      `This is how a call ended (${outcome}), not a payment: ask client.status or client.waitForOutcome`,
    )
  }
  const end: unknown = outcome ?? status
  if (typeof end === 'string') return end
  throw new TypeError('It has no status: give a status reply, an outcome, or gateway.order(id)')
}

function nameOf({ clientOrderId }: Ended): string {
  return clientOrderId === undefined ? '' : ` ${clientOrderId}`
}

function whyOf(ended: Ended): string {
  const { errorMessage, errorCode, awaits } = [ended, ended.reply, ended.operations?.at(-1)].find(hasReason) ?? {}
  const code = errorCode === undefined ? undefined : `code ${errorCode}`
  const step = awaits === undefined ? undefined : `waits for the customer: ${awaits}`
  const why = [errorMessage, code, step].filter((part) => part !== undefined)
  return why.length === 0 ? '' : ` (${why.join(', ')})`
}

function hasReason(reason: Reason | undefined): boolean {
  return (reason?.errorMessage ?? reason?.errorCode ?? reason?.awaits) !== undefined
}
