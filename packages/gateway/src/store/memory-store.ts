import { isFinalStatus } from '@tallystick/core'
import type { UsedNonce } from '../verification/verify-request.ts'
import type { Order } from './order.ts'
import type { OrderNames, Store } from './store.ts'

/** How far a timestamp may be from now, either side, in seconds (gaps part 13). */
const WINDOW_SECONDS = 300

/** A store that forgets everything when the process ends. */
export function memoryStore(): Store {
  const orders = new Map<string, Order>()
  const orderIds = new Map<string, string>()
  const nonces = nonceMemory()
  return {
    insertOrder: async (order) => {
      const name = clientName(order)
      const existing = orders.get(orderIds.get(name) ?? '')
      if (existing !== undefined) return { inserted: false, order: existing }
      orders.set(order.orderId, order)
      orderIds.set(name, order.orderId)
      return { inserted: true, order }
    },
    findOrder: async (names) => {
      const order = orders.get(orderIds.get(clientName(names)) ?? '')
      return order !== undefined && fits(order, names) ? order : undefined
    },
    decideOrder: async (orderId, status, outcome) => {
      const order = orders.get(orderId)
      if (order === undefined) throw new Error('The store has no order of this id')
      if (isFinalStatus(order.status)) throw new Error('The order is final already')
      const decided = { ...order, status, outcome }
      orders.set(orderId, decided)
      return decided
    },
    burnNonce: async (nonce, now) => nonces(nonce, now),
  }
}

/** Logins and client order ids are free texts: quoting keeps the border between them. */
function clientName({ login, clientOrderId }: Pick<OrderNames, 'login' | 'clientOrderId'>): string {
  return JSON.stringify([login, clientOrderId])
}

function fits(order: Order, { orderId, serialNumber }: OrderNames): boolean {
  return (
    (orderId === undefined || order.orderId === orderId) &&
    (serialNumber === undefined || order.serialNumber === serialNumber)
  )
}

/** Nonces by timestamp, so that a whole second is forgotten at once when it leaves the window. */
function nonceMemory(): (nonce: UsedNonce, now: number) => boolean {
  const bySecond = new Map<number, Set<string>>()
  return ({ consumerKey, timestamp, nonce }, now) => {
    for (const second of bySecond.keys()) if (second < now / 1000 - WINDOW_SECONDS) bySecond.delete(second)
    const used = bySecond.get(timestamp) ?? new Set()
    const name = JSON.stringify([consumerKey, nonce])
    if (used.has(name)) return false
    bySecond.set(timestamp, used.add(name))
    return true
  }
}
