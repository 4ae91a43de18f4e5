import type { StoredOrder } from '@tallystick/gateway/store'
import { actionsIn, type Entry } from './bank.ts'
import { repeated } from './check-books.ts'
import { businessKeyOf } from './purchase.ts'

/** What the shop's handler writes: without a unique key, so that an outcome handed over twice shows. */
export const EFFECTS = 'create table if not exists effects (key text, kind text, intent_id text, amount text)'

export type Row = Readonly<Record<string, unknown>>

/** Gives the rows of a statement in the shop's database. */
export type Query = (statement: string) => Promise<readonly Row[]> | readonly Row[]

type ShopIntent = ReturnType<typeof intentOf>

/** What the shop's database says at the end, compared with the bank's journal. */
export async function checkShop(query: Query, journal: readonly Entry[]) {
  const intents = (await query('select * from journal_intents')).map(intentOf)
  const effects = (await query('select * from effects')).map((row) => text(row['intent_id']))
  return {
    intents,
    effects: effects.length,
    absent: intents.filter(({ state }) => state === 'PRESUMED_ABSENT').length,
    reviewed: intents.filter(({ state }) => state === 'REVIEW').length,
    findings: [...notEnded(intents), ...wrongCharges(intents, journal), ...wrongEffects(intents, effects)],
  }
}

function intentOf(row: Row) {
  return {
    intentId: text(row['intent_id']),
    key: text(row['business_key']),
    clientOrderId: text(row['client_order_id']),
    orderId: text(row['order_id']),
    state: text(row['state']),
    status: text(row['status']),
    reviewReason: text(row['review_reason']),
    rejection: text(row['rejection']),
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Intents must be final, presumed absent, or in review with a reason. No valid request may be refused. */
function notEnded(intents: readonly ShopIntent[]): readonly string[] {
  return intents.flatMap(({ key, state, reviewReason, rejection }) => {
    if (state === 'FINAL' || state === 'PRESUMED_ABSENT') return []
    if (state === 'REVIEW' && reviewReason !== '') return []
    return [`${key}: ${state === 'REJECTED' ? `refused: ${rejection}` : `still ${state}`}`]
  })
}

/** The shop must know each charge, believe in no other, and have one at most for each key. */
function wrongCharges(intents: readonly ShopIntent[], journal: readonly Entry[]): readonly string[] {
  const approved = [...actionsIn(journal).values()].filter(({ decision }) => decision.status === 'approved')
  const charged = new Set(approved.map(({ orderId }) => orderId))
  const believed = intents.filter(({ state, status }) => state === 'FINAL' && status === 'approved')
  const known = new Set([...believed, ...intents.filter(({ state }) => state === 'REVIEW')].map((one) => one.orderId))
  return [
    ...[...charged].filter((orderId) => !known.has(orderId)).map((orderId) => `order ${orderId}: charged unknown`),
    ...believed.filter(({ orderId }) => !charged.has(orderId)).map(({ key }) => `${key}: approved and not charged`),
    ...repeated(believed.map(({ key }) => key)).map((key) => `${key}: charged twice`),
  ]
}

/** The handler's write must be there once for each final intent, and for no other. */
function wrongEffects(intents: readonly ShopIntent[], effects: readonly string[]): readonly string[] {
  const times = Map.groupBy(effects, (intentId) => intentId)
  const known = new Set(intents.map(({ intentId }) => intentId))
  return [
    ...intents.flatMap(({ intentId, key, orderId, state }) => {
      const [found, due] = [times.get(intentId)?.length ?? 0, state === 'FINAL' ? 1 : 0]
      return found === due ? [] : [`${key}: order ${orderId}: the handler took effect ${found} times, not ${due}`]
    }),
    ...effects.filter((intentId) => !known.has(intentId)).map((intentId) => `${intentId}: an effect of no intent`),
  ]
}

/** Each customer's order must have exactly one payment. */
export function wrongPayments(intents: readonly ShopIntent[], sold: number): readonly string[] {
  const byKey = Map.groupBy(intents, ({ key }) => key)
  return Array.from({ length: sold }, (_, number) => businessKeyOf(number)).flatMap((key) => {
    const count = byKey.get(key)?.length ?? 0
    return count === 1 ? [] : [`${key}: ${count} payments`]
  })
}

/** The shop must know each order of the gateway, with the same names and outcome, and what it presumes absent must be absent. */
export function wrongOrders(intents: readonly ShopIntent[], orders: readonly StoredOrder[]): readonly string[] {
  const known = new Map(intents.map((intent) => [intent.clientOrderId, intent]))
  const there = new Set(orders.map(({ clientOrderId }) => clientOrderId))
  return [
    ...orders.flatMap(({ clientOrderId, orderId, operations: [opening] }) => {
      const intent = known.get(clientOrderId)
      if (intent === undefined) return [`order ${orderId}: no shop knows ${clientOrderId}`]
      const { key, state, status } = intent
      if (state === 'REVIEW') return []
      if (state === 'FINAL' && status === opening?.status && intent.orderId === orderId) return []
      return [`${key}: order ${orderId} is ${opening?.status}, and the shop has ${state} ${status} ${intent.orderId}`]
    }),
    ...intents
      .filter(({ state, clientOrderId }) => state === 'FINAL' && !there.has(clientOrderId))
      .map(({ key, orderId }) => `${key}: the gateway has no order ${orderId}`),
  ]
}
