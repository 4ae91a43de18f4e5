import { type Judgement, judge } from './judgement.ts'

/** Whatever tells how a payment ended: a status, an outcome, an order of the gateway. */
export interface Ended {
  /** Of a status, or of an order of the gateway. */
  readonly status?: string | undefined
  /** Of what `waitForOutcome` gave. It goes before the status. */
  readonly outcome?: string | undefined
  /** Told with what is wrong; card numbers in it are masked. */
  readonly errorMessage?: string | undefined
}

/** What an operation returns looks like an outcome and is none. */
const HOW_A_CALL_ENDS: ReadonlySet<string> = new Set(['accepted', 'rejected', 'notSent'])

/** Whether a payment was approved: a status reply, what `waitForOutcome` gives, or an order of the gateway. */
export function judgeApproved(ended: Ended | null | undefined): Judgement {
  const status = ended?.outcome ?? ended?.status
  if (status === undefined)
    return judge(false, 'It has no status: give a status reply, an outcome, or gateway.order(id)')
  if (HOW_A_CALL_ENDS.has(status)) {
    return judge(
      false,
      `This is how a call ended (${status}), not a payment: ask client.status or client.waitForOutcome`,
    )
  }
  const why = ended?.errorMessage === undefined ? '' : ` (${ended.errorMessage})`
  return judge(status === 'approved', `The payment is ${status}${why}`)
}
