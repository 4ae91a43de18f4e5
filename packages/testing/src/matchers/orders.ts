import type { Timeline } from '@tallystick/gateway'

/** An order of the gateway, or several. */
export type Orders = Timeline | readonly Timeline[]

/** @throws TypeError if something is no order: with `not`, a judgement about nothing would make the test pass */
export function ordersOf(orders: Orders): readonly Timeline[] {
  const all: readonly unknown[] = Array.isArray(orders) ? orders : [orders]
  if (all.every(isOrder)) return all
  const stranger = all.find((one) => !isOrder(one))
  const what = stranger === null || stranger === undefined ? `${stranger} is` : 'This is'
  throw new TypeError(`${what} no order of the gateway: give await gateway.order(id), or await gateway.orders()`)
}

function isOrder(one: unknown): one is Timeline {
  return typeof one === 'object' && one !== null && 'postings' in one && 'operations' in one
}
