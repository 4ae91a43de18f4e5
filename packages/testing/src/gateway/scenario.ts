import type { OperationKey, Operations } from '@tallystick/core'
import type { FAULTS, FaultName } from '@tallystick/gateway'
import { isWritten, namedTable } from '../options/check-fields.ts'

/** The faults that a test can ask for: the method in a test, and the gateway's name of the fault. */
export const ACTS = {
  loseReplyBeforeCommit: 'reply-lost-before-commit',
  loseReplyAfterCommit: 'reply-lost-after-commit',
  replySlowly: 'slow-reply',
  failAfterCommit: 'error-then-committed',
  refuseAsOverloaded: 'overloaded',
  replyWithPage: 'html-page',
  truncateReply: 'truncated-body',
  beUnknownThenApproved: 'unknown-then-approved',
  beUnknownThenDeclined: 'unknown-then-declined',
  callBackLate: 'callback-delayed',
  callBackTwice: 'callback-twice',
  callBackTwiceAtOnce: 'callback-twice-at-once',
  callBackOutOfOrder: 'callback-out-of-order',
  callBackBeforeReturn: 'callback-before-return',
  neverCallBack: 'callback-never',
  forgeCallback: 'callback-forged',
  shiftCallback: 'callback-shifted',
  callBackWithOtherAmount: 'callback-amount-differs',
  chargeBackAfterReturn: 'chargeback-after-return',
  abandonThreeDs: 'three-ds-abandoned',
  timeOutMethod: 'method-time-out',
} as const satisfies Readonly<Record<string, FaultName>>

type Acts = typeof ACTS

/** What can go wrong, one method for each fault. */
export type Scenario<Fault extends FaultName = FaultName> = {
  readonly [Act in keyof Acts as Acts[Act] extends Fault ? Act : never]: () => void
}

type ReplyFault = { [Name in FaultName]: (typeof FAULTS)[Name]['acts'] extends 'reply' ? Name : never }[FaultName]

/** The scenario of an operation's next request. An operation that names no order can only have a fault of its reply. */
export type ScenarioOf<K extends OperationKey> = Operations[K]['request']['fields'] extends {
  readonly clientOrderId: unknown
}
  ? Scenario
  : Scenario<ReplyFault>

/**
 * @param asked how the test asks: `gateway.next('sale')`
 * @throws TypeError if a test reads a method that does not exist
 */
export function scenario(asked: string, have: (fault: FaultName) => void): Scenario {
  return byAct(asked, (fault) => {
    have(fault)
    return nothingMore(asked)
  })
}

/** A table with a method for each fault. @throws TypeError if a test reads a method that does not exist */
export function byAct<Result>(asked: string, have: (fault: FaultName) => Result): ByAct<Result> {
  const acts = Object.entries(ACTS).map(([act, fault]) => [act, () => have(fault)])
  return namedTable(asked, Object.fromEntries(acts) as ByAct<Result>)
}

type ByAct<Result> = { readonly [Act in keyof Acts]: () => Result }

/** What a method returns: nothing. But if a test chains another method to it, the error says how to write it. */
function nothingMore(asked: string): object {
  return new Proxy(
    {},
    {
      get: (_target, name) => {
        if (!isWritten(name)) return undefined
        throw new TypeError(`${asked}: ask for each fault in a statement of its own: ${asked}.${name}()`)
      },
    },
  )
}

/** How the test wrote the fault, for the message that nothing met it. */
export function actOf(fault: FaultName): string {
  return Object.entries(ACTS).find(([, name]) => name === fault)?.[0] ?? fault
}

type Result = { readonly ok: true } | { readonly ok: false; readonly rule?: string; readonly reason: string }

type Done<R extends Result> = Extract<R, { readonly ok: true }>

/**
 * A refusal as a value is for an operator. A test that does not look at it would pass although nothing has happened.
 *
 * @param asked how the test asked: `gateway.chargeback`
 * @throws Error with why the gateway refused it
 */
export function requireCarriedOut<R extends Result>(asked: string, result: R): Done<R> {
  if (result.ok) return result as Done<R>
  const { rule, reason } = result
  const [owner] = asked.split('.')
  throw new Error(
    `${asked} was refused: ${reason}${rule === undefined ? '' : ` (${rule})`}. ` +
      `If the order is not decided yet, wait for ${owner}.settled() first; a test of the refusal expects this error`,
  )
}
