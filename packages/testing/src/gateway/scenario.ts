import type { OperationKey, Operations } from '@tallystick/core'
import type { FAULTS, FaultName } from '@tallystick/gateway'
import { isWritten, namedTable } from '../options/named-table.ts'

/** What a test tells the gateway to do wrong, in the words of a test, by the names of the gateway's faults. */
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

/** The scenario of an operation's next request: one that names no order can only have a fault of its reply. */
export type ScenarioOf<K extends OperationKey> = Operations[K]['request']['fields'] extends {
  readonly clientOrderId: unknown
}
  ? Scenario
  : Scenario<ReplyFault>

/**
 * @param asked how the test asks: `gateway.next('sale')`
 * @throws TypeError when an act is read that there is not
 */
export function scenario(asked: string, have: (fault: FaultName) => void): Scenario {
  const acts = Object.entries(ACTS).map(([act, fault]) => {
    const happen = () => {
      have(fault)
      return nothingMore(asked)
    }
    return [act, happen]
  })
  return namedTable(asked, Object.fromEntries(acts)) as Scenario
}

/** What an act gives: nothing, but whoever asks it for another act is told how to ask. */
function nothingMore(asked: string): object {
  return new Proxy(
    {},
    {
      get: (_target, name) => {
        if (!isWritten(name)) return undefined
        throw new TypeError(
          `${asked}: each fault is asked for by itself, in a statement of its own: ${asked}.${name}()`,
        )
      },
    },
  )
}

/** How the test wrote it: for the message about a fault that nobody met. */
export function actOf(fault: FaultName): string {
  return Object.entries(ACTS).find(([, name]) => name === fault)?.[0] ?? fault
}
