import { type Judgement, judge } from './judgement.ts'

/** Whatever tells how a payment ended: a status, an outcome, an order of the gateway. */
export interface Ended {
  /** Of a status, or of an order of the gateway. */
  readonly status?: string | undefined
  /** Of what `waitForOutcome` gave. It goes before the status. */
  readonly outcome?: string | undefined
  /** Told with what is wrong, as are the next two; card numbers in them are masked. */
  readonly errorMessage?: string | undefined
  readonly errorCode?: string | undefined
  readonly clientOrderId?: string | undefined
  /** Of what `waitForOutcome` gave: the status, which says why. */
  readonly reply?: Reason | undefined
  /** Of an order of the gateway: the last says why. */
  readonly operations?: readonly Reason[] | undefined
}

type Reason = Pick<Ended, 'errorMessage' | 'errorCode'>

/** What an operation returns looks like an outcome and is none. */
const HOW_A_CALL_ENDS: ReadonlySet<unknown> = new Set(['accepted', 'rejected', 'unknown', 'notSent'])

/** Whether a payment was approved: a status reply, what `waitForOutcome` gives, or an order of the gateway. */
export function judgeApproved(given: Ended | null | undefined): Judgement {
  const ended = given ?? {}
  const end = endOf(ended)
  return judge(end === 'approved', `The payment${nameOf(ended)} is ${end}${whyOf(ended)}`)
}

/** @throws TypeError for what is no payment: `not` would turn a judgement about it into a test that passes */
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
  const { errorMessage, errorCode } = [ended, ended.reply, ended.operations?.at(-1)].find(hasReason) ?? {}
  const code = errorCode === undefined ? undefined : `code ${errorCode}`
  const why = [errorMessage, code].filter((part) => part !== undefined)
  return why.length === 0 ? '' : ` (${why.join(', ')})`
}

function hasReason(reason: Reason | undefined): boolean {
  return reason?.errorMessage !== undefined || reason?.errorCode !== undefined
}
