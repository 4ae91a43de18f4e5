import { checkOptions, type FinalStatus, isFinalStatus, kind } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { operationOf, orderIdOf } from '../orders/operations.ts'
import { type Operator, operatorRecord } from '../store/operator-record.ts'
import { settle } from './settle.ts'
import { isWithoutOutcome } from './status-inquiry-task.ts'

/** A decision that is final. */
export type FinalDecision = Extract<Decision, { readonly status: FinalStatus }>

/** Whether the outcome that an operator gave was recorded. A refusal says how the operation stands. */
export type RecordedOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: string }

const KINDS = {
  operationId: kind.required(kind.text),
  decision: kind.required({ ...kind.object, wanted: "what became of it, such as { status: 'approved', ... }" }),
  by: kind.required({ ...kind.object, wanted: "who says so, such as { who: 'anna', why: 'e-mail of the bank' }" }),
}

/**
 * Records the outcome of an operation that look-ups did not find, as an operator learned it from the acquirer. All follows as
 * from an answer of the acquirer. Recording it again changes nothing.
 *
 * @param by is recorded with it, in the same transaction, or alone if it changes nothing
 * @throws TypeError if the id, the decision or `by` is missing or of the wrong type, or the decision is not final
 */
export async function recordOutcome(
  operationId: string,
  decision: FinalDecision,
  by: Operator,
  service: Service,
): Promise<RecordedOutcome> {
  checkOptions('recordOutcome', { operationId, decision, by }, KINDS)
  if (!isFinalStatus(decision.status)) throw new TypeError('status must be approved, declined, filtered or error')
  const order = await service.store.orderById(orderIdOf(operationId))
  const operation = order?.operations.find(({ id }) => id === operationId)
  if (order === undefined || operation === undefined) return refused('there is no operation with this id')
  const { orderId } = order
  const deed = { at: service.clock.now(), act: 'outcome', subject: operationId, orderId } as const
  const record = (before: string, after: string) => operatorRecord({ ...deed, before, after }, by)
  const recordAlone = async (now: string) =>
    void (await service.commit({ records: [record(now, `${now} as before; said: ${decision.status}`)] }))
  const mayBeWritten = isWithoutOutcome(operation) || isFinalStatus(operation.status)
  if (!mayBeWritten) {
    await recordAlone(operation.status)
    return refused(`the operation is ${operation.status}: it still waits for the acquirer or the customer`)
  }
  const records = [record(operation.status, decision.status)]
  let isRecorded = false
  const commit: Service['commit'] = async (change) => {
    const committed = await service.commit({ ...change, records })
    isRecorded ||= committed.ok
    return committed
  }
  const recording = { ...service, commit }
  const settled = await settle(
    order,
    operation,
    decision,
    recording,
    `On the word of the operator ${by.who}, the acquirer`,
  )
  const { status } = operationOf(settled, operationId)
  if (!isRecorded) await recordAlone(status)
  return status === decision.status ? { ok: true } : refused(`the operation has ended as ${status}`)
}

function refused(reason: string): RecordedOutcome {
  return { ok: false, reason }
}
