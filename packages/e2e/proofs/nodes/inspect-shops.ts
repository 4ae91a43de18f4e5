import type { StoredOrder } from '@tallystick/gateway'
import { deedsIn } from '../bank/journal.ts'
import { businessKeyOf } from './purchase.ts'
import type { Row } from './watch.ts'
import type { World } from './world.ts'

/** What the shops' database says at the end, compared with the gateway's orders and the bank's book. */
export interface ShopsSeen {
  readonly findings: readonly string[]
  readonly intents: number
  readonly effects: number
  readonly absent: number
  readonly reviewed: number
}

interface Intent {
  readonly intentId: string
  readonly key: string
  readonly clientOrderId: string
  readonly orderId: string
  readonly state: string
  readonly status: string
  readonly reviewReason: string
  readonly rejection: string
}

export async function inspectShops(
  { watch, bankBook }: World,
  orders: readonly StoredOrder[],
  sold: number,
): Promise<ShopsSeen> {
  const intents = (await watch.rows('shop', 'select * from journal_intents')).map(intentOf)
  const effects = (await watch.rows('shop', 'select * from effects')).map((row) => text(row['intent_id']))
  const approved = [...deedsIn(bankBook).values()].filter(({ decision }) => decision.status === 'approved')
  const charged = new Set(approved.map(({ orderId }) => orderId))
  return {
    intents: intents.length,
    effects: effects.length,
    absent: intents.filter(({ state }) => state === 'PRESUMED_ABSENT').length,
    reviewed: intents.filter(({ state }) => state === 'REVIEW').length,
    findings: [
      ...unsold(intents, sold),
      ...notEnded(intents),
      ...wrongOrders(intents, orders),
      ...wrongCharges(intents, charged),
      ...wrongEffects(intents, effects),
    ],
  }
}

function intentOf(row: Row): Intent {
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

/** Each customer's order must have exactly one payment. */
function unsold(intents: readonly Intent[], sold: number): readonly string[] {
  const byKey = Map.groupBy(intents, ({ key }) => key)
  return Array.from({ length: sold }, (_, number) => businessKeyOf(number)).flatMap((key) => {
    const count = byKey.get(key)?.length ?? 0
    return count === 1 ? [] : [`${key}: ${count} payments`]
  })
}

/** Intents must be final, presumed absent, or in review with a reason. No valid request may be refused. */
function notEnded(intents: readonly Intent[]): readonly string[] {
  return intents.flatMap(({ key, state, reviewReason, rejection }) => {
    if (state === 'FINAL' || state === 'PRESUMED_ABSENT') return []
    if (state === 'REVIEW' && reviewReason !== '') return []
    return [`${key}: ${state === 'REJECTED' ? `refused: ${rejection}` : `still ${state}`}`]
  })
}

/** The shop must know each order of the gateway, with the same names and outcome, and what it presumes absent must be absent. */
function wrongOrders(intents: readonly Intent[], orders: readonly StoredOrder[]): readonly string[] {
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

/** The shop must know each charge, and each charge that it believes in must exist. */
function wrongCharges(intents: readonly Intent[], charged: ReadonlySet<string>): readonly string[] {
  const known = new Set(intents.map(({ orderId }) => orderId))
  const believed = intents.filter(({ state, status }) => state === 'FINAL' && status === 'approved')
  return [
    ...[...charged].filter((orderId) => !known.has(orderId)).map((orderId) => `order ${orderId}: charged unknown`),
    ...believed.filter(({ orderId }) => !charged.has(orderId)).map(({ key }) => `${key}: approved and not charged`),
  ]
}

/** The handler's write must be there once for each final intent, and for no other. */
function wrongEffects(intents: readonly Intent[], effects: readonly string[]): readonly string[] {
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
