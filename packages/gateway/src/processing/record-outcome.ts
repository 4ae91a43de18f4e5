import { type FinalStatus, isFinalStatus } from '@tallystick/core'
import { checkOptions, validator } from '@tallystick/core/internal'
import type { Decision } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { majorUnits, minorUnits } from '../orders/amounts.ts'
import { appendOperation, lastOperation, openingOperation, operationOf, orderIdOf } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { type Operator, operatorRecord } from '../store/operator-record.ts'
import { applyOutcome, settle } from './settle.ts'
import { isWithoutOutcome } from './tasks.ts'

/** A decision that is final. */
export type FinalDecision = Extract<Decision, { readonly status: FinalStatus }>

/** Whether the outcome that an operator gave was recorded. A refusal says how the operation stands. */
export type RecordedOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: string }

const KINDS = {
  operationId: validator.required(validator.text),
  decision: validator.required({
    ...validator.object,
    wanted: "what became of it, such as { status: 'approved', ... }",
  }),
  by: validator.required({
    ...validator.object,
    wanted: "who says so, such as { who: 'anna', why: 'e-mail of the bank' }",
  }),
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

/** What became of a chargeback: an expected refusal names its rule. */
export type Chargeback =
  | { readonly ok: true; readonly operationId: string }
  | { readonly ok: false; readonly rule: string; readonly reason: string }

/** What the issuer charges back, as its notice says. */
interface TakenBack {
  /** In major units. Absent: all that is left. */
  readonly amount?: string | undefined
  /** The issuer's id of the case. A second notice with the same id is the same chargeback. */
  readonly caseId?: string | undefined
}

const NO_ORDER = "there is no order of this id; it takes the gateway's id of the order, not the merchant's"

/**
 * Records that the issuer charged back what was sold or captured, all that is left or a part (gaps part 13). The acquirer is
 * not asked: it has happened, so it is written at once with its postings and its callback.
 *
 * @throws TypeError if the amount or the case id is not valid
 */
export async function chargeBack(
  orderId: string,
  taken: TakenBack,
  by: Operator,
  service: Service,
): Promise<Chargeback> {
  const { store, clock } = service
  const serialNumber = serialNumberOf(orderId, taken, service)
  for (;;) {
    const order = await store.orderById(orderId)
    if (order === undefined) return { ok: false, rule: 'order', reason: NO_ORDER }
    const at = clock.now()
    const money = moneyOf(taken, order, service)
    const told = order.operations.find((operation) => operation.serialNumber === serialNumber)
    const before = lastOperation(order).status
    const record = (subject: string, after: string) =>
      operatorRecord({ at, act: 'chargeback', subject, orderId, before, after }, by)
    if (told !== undefined) {
      const again = toldBefore(told, money.amount)
      await service.commit({ records: [record(told.id, again.ok ? 'recorded before' : `refused: ${again.reason}`)] })
      return again
    }
    const appended = appendOperation(order, { action: 'chargeback', at, serialNumber, ...money })
    if (!appended.ok) {
      await service.commit({ records: [record(orderId, `refused: ${appended.refusal.reason}`)] })
      return { ok: false, ...appended.refusal }
    }
    const { id, amount } = appended.operation
    // The issuer names the payment that it charges back.
    const { approvalCode = '', processorTxId = '', rrn, arn, terminalId } = openingOperation(order).outcome
    const decision = { status: 'approved', approvalCode, processorTxId, rrn, arn, terminalId } as const
    const decided = applyOutcome({ order: appended.order, operationId: id, decision, at }, service)
    const { version } = appended.order
    const change = { ...decided.change, order: { order: { ...decided.order, version }, basedOn: order.version } }
    const after = `chargeback of ${majorUnits(amount, order.terms.currency, service.profile)} ${order.terms.currency}`
    const { ok } = await service.commit({ ...change, records: [record(id, after)] })
    if (ok) return { ok: true, operationId: id }
  }
}

/** With a case, derived from its id, so that the order recognizes a case that it had before. */
function serialNumberOf(orderId: string, { caseId }: TakenBack, { ids, vault }: Service): string {
  if (caseId === undefined) return ids.serialNumber()
  // From plain JavaScript, two cases with an empty id would be one, and an id as a number and as a text would be two.
  if (typeof caseId !== 'string' || caseId === '')
    throw new TypeError("caseId must be the issuer's id of the case, as a text, or be left out")
  const digest = vault.digest(JSON.stringify(['chargeback', orderId, caseId]))
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

function toldBefore({ id, amount }: StoredOperation, asked = amount): Chargeback {
  if (asked === amount) return { ok: true, operationId: id }
  return { ok: false, rule: 'case', reason: 'this case charged back another amount' }
}

function moneyOf({ amount }: TakenBack, { terms: { currency } }: StoredOrder, { profile }: Service) {
  return amount === undefined ? {} : { amount: readAmount(amount, currency, profile), currency }
}

function readAmount(amount: string, currency: string, profile: Service['profile']): bigint {
  try {
    return minorUnits(amount, currency, profile)
  } catch {
    throw new TypeError('amount must be in major units with a dot, like 10.50')
  }
}
