import { decideStoreCard } from '@tallystick/core'
import { toMajor } from '../money.ts'
import type { ShopOrder } from '../rows/order.ts'
import type { Changed } from './change-order.ts'
import { recordResult, refusalOf } from './record-result.ts'
import { ruled } from './rules.ts'
import type { Till } from './till.ts'

/** Asks the gateway to store the card of an order. The shop gets a reference, which is worthless to anyone else. */
export async function storeCard({ journal, database }: Till, order: ShopOrder): Promise<Changed> {
  const decision = decideStoreCard(ruled(order))
  if (!decision.allowed) return { ok: false, ...decision }
  const { id, clientOrderId = '', orderId = '' } = order
  const result = await journal.pay(`card of ${id}`, 'createCardRef', { clientOrderId, orderId })
  const { reference } = result.intent
  if (reference === undefined) {
    const unanswered = result.outcome === 'review' ? GIVEN_UP : NOT_ANSWERED
    return { ok: false, rule: result.outcome, reason: refusalOf(result) ?? unanswered }
  }
  // The journal's handler stores the reference as well, in case this process ends here.
  await database.write((rows) => rows.storeCard(id, reference))
  return { ok: true }
}

/** A card reference has no status: only repeating the request shows what became of it. */
const NOT_ANSWERED = 'the gateway has not answered: store the card again to find out what became of the first request'
const GIVEN_UP = 'the gateway has not answered any of the requests: an operator has to find out at the gateway'

export type Rebilled = { readonly ok: true; readonly shopOrder: string } | Exclude<Changed, { readonly ok: true }>

const PERIOD = /^[1-9]\d{0,3}$/

/**
 * Charges a stored card again, for one period. The order and the period are the key in the journal, so no period is charged
 * twice, whoever presses the button and however often. Gives the new order, or the existing one.
 */
export async function rebill(till: Till, order: ShopOrder, period: string): Promise<Rebilled> {
  const { journal, database, addresses, now } = till
  const { id: profile, name, amount, currency, cardRefId } = order
  if (cardRefId === undefined) return { ok: false, rule: 'card', reason: 'no card is stored' }
  if (!PERIOD.test(period)) return { ok: false, rule: 'period', reason: 'the number must be from 1 to 9999' }
  const shopOrder = `${profile}-${period}`
  // The business key that the journal makes of the two.
  const payment = `rebill ${profile} ${period}`
  const isFirst = await database.write((rows) => {
    if (rows.order(shopOrder) !== undefined) return false
    const createdAt = now()
    rows.openOrder({ id: shopOrder, name: `${name}: number ${period}`, amount, currency, createdAt })
    rows.addOperation({ name: payment, shopOrder, kind: 'sale', amount, status: 'sent', createdAt })
    return true
  })
  if (isFirst) {
    const input = { cardRefId, amount: toMajor(amount), currency, orderDesc: name, notifyUrl: addresses.callback }
    await recordResult(till, payment, await journal.pay({ profile, period }, 'makeRebill', input))
  }
  return { ok: true, shopOrder }
}
