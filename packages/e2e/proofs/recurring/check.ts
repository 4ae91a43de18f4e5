import type { StoredOrder } from '@tallystick/gateway'
import { type ExpectedCharge, expectedCharges, type PlannedSchedule } from './plan.ts'

/** What the merchant's orders show of all schedules. */
export interface Charged {
  readonly expected: number
  readonly missed: number
  readonly doubled: number
  readonly early: number
  readonly unheard: number
  /** That were cut off by a kill before the bank had them: they end as an error, and are told. */
  readonly interrupted: number
  readonly findings: readonly string[]
}

export interface CheckInput {
  /** By the ids of their recurring payments. */
  readonly schedules: ReadonlyMap<string, PlannedSchedule>
  readonly orders: readonly StoredOrder[]
  readonly heard: ReadonlyMap<string, number>
}

export function check({ schedules, orders, heard }: CheckInput): Charged {
  const left = new Map<string, StoredOrder[]>()
  for (const order of orders) left.set(order.clientOrderId, [...(left.get(order.clientOrderId) ?? []), order])
  const told = { expected: 0, missed: 0, doubled: 0, early: 0, unheard: 0, interrupted: 0 }
  const findings: string[] = []
  const find = (what: 'missed' | 'doubled' | 'early' | 'unheard', clientOrderId: string, charge: ExpectedCharge) => {
    told[what] += 1
    findings.push(`${clientOrderId}, of ${charge.date}: ${what}`)
  }
  for (const [id, schedule] of schedules) {
    for (const charge of expectedCharges(schedule)) {
      const clientOrderId = `${id}-${charge.number}`
      const [order, ...others] = left.get(clientOrderId) ?? []
      left.delete(clientOrderId)
      told.expected += 1
      if (order === undefined) find('missed', clientOrderId, charge)
      if (others.length > 0) find('doubled', clientOrderId, charge)
      if (order !== undefined && order.createdAt < charge.instant) find('early', clientOrderId, charge)
      if (!heard.has(clientOrderId)) find('unheard', clientOrderId, charge)
      if (order?.operations[0]?.status === 'error') told.interrupted += 1
    }
  }
  // What nobody expected was charged once too often.
  for (const clientOrderId of left.keys()) findings.push(`${clientOrderId}: nobody expected it`)
  return { ...told, doubled: told.doubled + left.size, findings }
}
