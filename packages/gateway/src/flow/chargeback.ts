import { minorUnits } from '../orders/amounts.ts'
import { appendOperation } from '../orders/derive.ts'
import { openingOperation } from '../orders/shown-order.ts'
import { followUp } from './follow-up.ts'
import type { Service } from './service.ts'

/** What became of a chargeback: an expected refusal names its rule. */
export type Chargeback =
  | { readonly ok: true; readonly operationId: string }
  | { readonly ok: false; readonly rule: string; readonly reason: string }

/**
 * The issuer takes back what was sold or captured, all that is left or a part (gaps part 13). Nobody is asked: it has
 * happened, so it is written with its postings and its callback at once.
 *
 * @param amount In major units.
 * @throws TypeError when the amount is none
 */
export async function chargeBack(orderId: string, amount: string | undefined, service: Service): Promise<Chargeback> {
  const { store, clock, ids, profile } = service
  for (;;) {
    const order = await store.orderById(orderId)
    if (order === undefined) return { ok: false, rule: 'order', reason: 'there is no order of this id' }
    const at = clock.now()
    const { currency } = order.terms
    const money = amount === undefined ? {} : { amount: readAmount(amount, currency, profile), currency }
    const appended = appendOperation(order, { action: 'chargeback', at, serialNumber: ids.serialNumber(), ...money })
    if (!appended.ok) return { ok: false, ...appended.refusal }
    const { id } = appended.operation
    // The issuer names the payment that it takes back.
    const { approvalCode = '', processorTxId = '' } = openingOperation(order).outcome
    const decision = { status: 'approved', approvalCode, processorTxId } as const
    const decided = followUp({ order: appended.order, operationId: id, decision, at }, service)
    const { version } = appended.order
    const change = { ...decided.change, order: { order: { ...decided.order, version }, basedOn: order.version } }
    const { ok } = await service.commit(change)
    if (ok) return { ok: true, operationId: id }
  }
}

function readAmount(amount: string, currency: string, profile: Service['profile']): bigint {
  try {
    return minorUnits(amount, currency, profile)
  } catch {
    throw new TypeError('amount must be in major units with a dot, like 10.50')
  }
}
