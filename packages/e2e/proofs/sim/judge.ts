import type { Intent, JournalStore } from '@tallystick/client'
import { toMinorUnits } from '@tallystick/core'
import { deedsIn, type Entry } from '../bank/journal.ts'
import type { Errand } from './merchant.ts'
import type { Effects } from './mortal.ts'

export interface Judged {
  readonly errands: readonly Errand[]
  readonly store: JournalStore
  /** The bank's own book. */
  readonly book: readonly Entry[]
  /** What the merchant's handler has written. */
  readonly effects: Effects
  /** Whether the gateway has any order at all: of one that has none nothing is ever presumed absent. */
  readonly hasOrders: boolean
  /** The gateway's id of the order of each client order id, where there is one. */
  readonly orderIdOf: (clientOrderId: string) => Promise<string | undefined>
}

const ENDED: readonly Intent['state'][] = ['FINAL', 'REJECTED', 'PRESUMED_ABSENT', 'REVIEW', 'NOT_SENT', 'PREPARED']

/** Holds what the journal believes against what the bank has done. */
export async function judge(world: Judged): Promise<readonly string[]> {
  const findings: string[] = []
  for (const errand of world.errands) {
    const sales = await world.store.attemptsOf(errand.key)
    const refunds = await world.store.attemptsOf(`refund of ${errand.key}`)
    findings.push(...(await judgeSales(errand, sales, world)), ...judgeRefunds(errand, sales, refunds, world))
    for (const intent of [...sales, ...refunds]) findings.push(...judgeIntent(intent, world))
  }
  return findings
}

async function judgeSales({ key, sale }: Errand, sales: readonly Intent[], { book, orderIdOf }: Judged) {
  const findings: string[] = []
  const deeds = [...deedsIn(book).values()].filter(({ kind }) => kind === 'sale')
  let charged = 0
  for (const { clientOrderId, state, status } of sales) {
    const orderId = await orderIdOf(clientOrderId)
    const charge = deeds.find((deed) => deed.orderId === orderId && deed.decision.status === 'approved')
    if (charge !== undefined) charged++
    if ((charge !== undefined) !== (state === 'FINAL' && status === 'approved')) {
      findings.push(`${key}: ${state} ${status}, and the bank has ${charge === undefined ? 'no charge' : 'a charge'}`)
    }
    if (charge !== undefined && String(charge.amount) !== toMinorUnits(sale.amount))
      findings.push(`${key}: another amount`)
    if (orderId !== undefined && state !== 'FINAL') findings.push(`${key}: ${state}, and the gateway has the order`)
  }
  return charged > 1 ? [...findings, `${key}: charged ${charged} times`] : findings
}

/** A refund in review may have taken effect; every other is as the journal says. */
function judgeRefunds({ key, refund }: Errand, sales: readonly Intent[], refunds: readonly Intent[], { book }: Judged) {
  const ids = new Set(sales.map(({ orderId }) => orderId))
  const given = [...deedsIn(book).values()].filter(
    ({ orderId, kind, decision }) => ids.has(orderId) && kind !== 'sale' && decision.status === 'approved',
  )
  const believed = refunds.filter(({ state, status }) => state === 'FINAL' && status === 'approved').length
  const open = refunds.filter(({ state }) => state === 'REVIEW').length
  if (given.length > 1) return [`${key}: given back ${given.length} times`]
  const isRight = given.length >= believed && given.length <= believed + open
  return isRight ? [] : [`${key}: ${given.length} given back (${refund}), ${believed} believed, ${open} in review`]
}

function judgeIntent(
  { intentId, businessKey, state, evidence }: Intent,
  { effects, hasOrders }: Judged,
): readonly string[] {
  const told = effects.filter((effect) => effect === intentId).length
  const findings: string[] = []
  const mayBeOpen = state === 'UNKNOWN' && !hasOrders
  if (!ENDED.includes(state) && !mayBeOpen) findings.push(`${businessKey}: still ${state}: ${evidence.at(-1)?.seen}`)
  if (told !== (state === 'FINAL' ? 1 : 0))
    findings.push(`${businessKey}: ${state}, and the handler was told ${told} times`)
  return findings
}
