import { type ActionTerms, decideAction } from '@tallystick/core'
import { toMajor, toMinor } from '../money.ts'
import type { ShopOrder } from '../rows/order.ts'
import { recordResult } from './record-result.ts'
import { type BackOfficeAction, ruled } from './rules.ts'
import type { Till } from './till.ts'

/** What someone in the back office asks for. */
export interface AskedChange {
  readonly action: BackOfficeAction
  /** How many operations the order had when the page was shown: a second press of its button is the same request. */
  readonly number: number
  /** In major units. If left out or empty: everything that is left. */
  readonly amount?: string | undefined
}

/** Whether the change was requested; if not, the rule that refuses it. The handler is called with the outcome later. */
export type Changed = { readonly ok: true } | { readonly ok: false; readonly rule: string; readonly reason: string }

/** Captures, returns or voids: once, however often someone presses the button. */
export async function changeOrder(till: Till, order: ShopOrder, asked: AskedChange): Promise<Changed> {
  const { database, now } = till
  const { action, number } = asked
  if (!Number.isSafeInteger(number)) return { ok: false, rule: 'number', reason: 'the page was not complete' }
  const name = `${action} ${number} of ${order.id}`
  if (database.rows.operation(name) !== undefined) return { ok: true }
  const terms = termsOf(order, asked, now())
  if (terms === undefined) return { ok: false, rule: 'amount', reason: 'the amount must be a number such as 10.50' }
  const decision = decideAction(action, ruled(order), terms)
  if (!decision.allowed) return { ok: false, rule: decision.rule, reason: decision.reason }
  const { kind, amount } = decision
  const isFirst = await database.write((rows) => {
    if (rows.operation(name) !== undefined) return false
    rows.addOperation({ name, shopOrder: order.id, kind, amount, status: 'sent', createdAt: now() })
    return true
  })
  if (isFirst) await recordResult(till, name, await send(till, name, order, { action, amount: terms.amount }))
  return { ok: true }
}

/** The terms by which the rules decide before anything is sent; `undefined` if the amount is not a number. */
function termsOf({ currency }: ShopOrder, { amount = '' }: AskedChange, at: number): ActionTerms | undefined {
  if (amount.trim() === '') return { at }
  const cents = toMinor(amount)
  return cents === undefined ? undefined : { at, amount: cents, currency }
}

interface Sent {
  readonly action: BackOfficeAction
  /** `undefined`: everything that is left. */
  readonly amount: bigint | undefined
}

async function send({ journal }: Till, name: string, order: ShopOrder, { action, amount }: Sent) {
  const { clientOrderId = '', orderId = '', currency } = order
  const ids = { clientOrderId, orderId }
  const money = amount === undefined ? {} : { amount: toMajor(amount), currency }
  switch (action) {
    case 'capture':
      return await journal.pay(name, 'capture', { ...ids, ...money })
    case 'return':
      return await journal.pay(name, 'return', { ...ids, ...money, comment: 'Refunded by the shop' })
    case 'void':
      return await journal.pay(name, 'void', { ...ids, comment: 'Cancelled by the shop' })
  }
}
