import { decideStoreCard } from '@tallystick/core'
import { toMajor } from '../money.ts'
import type { ShopOrder } from '../rows/order.ts'
import type { Changed } from './change-order.ts'
import { recordResult, refusalOf } from './record-result.ts'
import { ruled } from './rules.ts'
import type { Till } from './till.ts'

/** Has the gateway keep the card of an order. The shop gets a reference, which is worth nothing to anybody else. */
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
  // The handler is told as well, should this process end here.
  await database.write((rows) => rows.storeCard(id, reference))
  return { ok: true }
}

/** It has no status: nobody finds out but by the repeat. */
const NOT_ANSWERED =
  'the gateway has not answered: store the card once more, and it tells what became of the first time'
const GIVEN_UP = 'the gateway has not answered, however often it was asked: a person has to find out at the gateway'

export type Rebilled = { readonly ok: true; readonly shopOrder: string } | Exclude<Changed, { readonly ok: true }>

const PERIOD = /^[1-9]\d{0,3}$/

/**
 * Charges a stored card again, for one period. The journal knows it by the order and the period, so that no period is charged
 * twice, whoever presses the button and however often. Gives the new order, or the one that there is.
 */
export async function rebill(till: Till, order: ShopOrder, period: string): Promise<Rebilled> {
  const { journal, database, addresses, now } = till
  const { id: profile, name, amount, currency, cardRefId } = order
  if (cardRefId === undefined) return { ok: false, rule: 'card', reason: 'no card is stored' }
  if (!PERIOD.test(period)) return { ok: false, rule: 'period', reason: 'the number must be one from 1 to 9999' }
  const shopOrder = `${profile}-${period}`
  // The name that the journal gives the two together.
  const payment = `rebill ${profile} ${period}`
  const times = { createdAt: now(), statusAt: now() }
  const isFirst = await database.write((rows) => {
    if (rows.order(shopOrder) !== undefined) return false
    rows.openOrder({ id: shopOrder, name: `${name}: number ${period}`, amount, currency, createdAt: now() })
    rows.addOperation({ name: payment, shopOrder, kind: 'sale', amount, status: 'sent', ...times, note: undefined })
    return true
  })
  if (isFirst) {
    const input = { cardRefId, amount: toMajor(amount), currency, orderDesc: name, notifyUrl: addresses.callback }
    await recordResult(till, payment, await journal.pay({ profile, period }, 'makeRebill', input))
  }
  return { ok: true, shopOrder }
}
