import type { Change } from '../store.ts'

/** A change that waits to be written. */
export interface QueuedChange {
  readonly change: Change
  readonly now: number
}

/** The orders that a change is about. */
export function ordersIn({
  order,
  postings = [],
  deliveries = [],
  attempts = [],
  tasks = [],
}: Change): ReadonlySet<string> {
  const ids = new Set<string>()
  if (order !== undefined) ids.add(order.order.orderId)
  for (const { orderId } of postings) ids.add(orderId)
  for (const { orderId } of deliveries) ids.add(orderId)
  for (const { delivery } of attempts) ids.add(delivery.orderId)
  for (const task of tasks) if (task.kind !== 'charge') ids.add(task.orderId)
  return ids
}

/**
 * How many changes, from the first on, can be written together: no two of them are about the same order, recurring payment or task, so that
 * none has to see what another has written.
 */
export function howManyTogether(batch: readonly QueuedChange[]): number {
  const touched = new Set<string>()
  for (const [at, { change }] of batch.entries()) {
    const keys = keysOf(change)
    if (keys.some((key) => touched.has(key))) return at
    for (const key of keys) touched.add(key)
  }
  return batch.length
}

function keysOf(change: Change): readonly string[] {
  const { order, recurringPayment, tasks = [], doneTasks = [] } = change
  const keys = [...ordersIn(change)].map((id) => `order ${id}`)
  if (order?.repeatsAllowed === true) {
    keys.push(`name ${JSON.stringify([order.order.login, order.order.clientOrderId])}`)
  }
  if (recurringPayment !== undefined) {
    keys.push(`recurring ${JSON.stringify([recurringPayment.login, recurringPayment.clientOrderId])}`)
  }
  for (const id of new Set([...tasks.map((task) => task.id), ...doneTasks])) keys.push(`task ${id}`)
  return keys
}
