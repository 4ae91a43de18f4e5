import type { Profile } from '@tallystick/core'
import type { Acquirer } from '../acquirer/acquirer.ts'
import type { CallbackAnswer, SendCallback } from '../callbacks/callback-answer.ts'
import type { OrderFaults, Service } from '../context.ts'
import type { Handle } from '../http/reply.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Delivery } from '../store/delivery.ts'
import type { Change, Store } from '../store/store.ts'
import { planDeliveries, withCallbackFaults } from './callback-faults.ts'
import { type FaultControl, noFaultControl } from './fault-control.ts'
import { FaultPlan, readDraw } from './fault-plan.ts'
import type { FaultName, FaultOptions } from './faults.ts'
import {
  CallbackBeforeReturn,
  chargebackAfterReturn,
  withAbandonedChallenges,
  withMethodFrames,
  withOutcomeFaults,
} from './order-faults.ts'
import { type ReplyFaultDependencies, withReplyFaults } from './reply-faults.ts'

/** Wraps the ports of a gateway in the faults of its orders. */
export interface FaultParts {
  readonly control: FaultControl
  readonly faults: OrderFaults
  handle(handle: Handle, front: Pick<ReplyFaultDependencies, 'basePath' | 'render'>): Handle
  acquirer(acquirer: Acquirer): Acquirer
  send(send: SendCallback): (url: string, delivery: Delivery) => Promise<CallbackAnswer>
  /** Takes a change before it is written, and returns it with the faults. */
  plan(change: Change): Promise<Change>
  /** Takes a change that was written. */
  note(change: Change, service: Service): void
}

const NONE: ReadonlySet<FaultName> = new Set()

/** For a gateway that is not a sandbox. */
export const noFaults: FaultParts = {
  control: noFaultControl,
  faults: { of: () => NONE, callbackBeforeReturn: async () => {} },
  handle: (handle) => handle,
  acquirer: (acquirer) => acquirer,
  send: (send) => send,
  plan: async (change) => change,
  note: () => {},
}

interface FaultDependencies {
  readonly options: FaultOptions | undefined
  /** A number from 0 to 1, for a random seed. */
  readonly fraction: () => number
  readonly store: Pick<Store, 'orderById' | 'deliveriesOf'>
  readonly clock: Clock
  readonly profile: Profile
}

/** @throws TypeError when the options are wrong */
export function faultParts({ options, fraction, store, clock, profile }: FaultDependencies): FaultParts {
  const desk = new FaultPlan(options && readDraw(options, fraction))
  const deliveriesOf = (orderId: string) => store.deliveriesOf(orderId)
  const orderById = (orderId: string) => store.orderById(orderId)
  const faultsOf = async (orderId: string) => {
    const order = await orderById(orderId)
    return order === undefined ? NONE : desk.of(order)
  }
  const written = writtenOrders()
  const asWritten = async (orderId: string) => written.of(orderId) ?? (await orderById(orderId))
  const beforeReturn = new CallbackBeforeReturn(desk, clock, deliveriesOf)
  return {
    control: desk,
    faults: { of: (order) => desk.of(order), callbackBeforeReturn: (order) => beforeReturn.wait(order) },
    handle: (handle, front) => withReplyFaults({ ...front, profile, clock, desk, handle }),
    acquirer: (acquirer) => {
      const framed = withMethodFrames(acquirer, desk, orderById)
      return withOutcomeFaults(withAbandonedChallenges(framed, faultsOf), desk, { asWritten, orderById })
    },
    send: (send) => {
      const faulty = withCallbackFaults(send, faultsOf)
      return (url, delivery) => faulty(url, delivery).finally(() => beforeReturn.sent(delivery.orderId))
    },
    plan: (change) => planDeliveries(change, desk, deliveriesOf),
    note: (change, service) => {
      written.note(change)
      chargebackAfterReturn(change, desk, service)
    },
  }
}

const MOST_WRITTEN = 4096

/**
 * The orders that this process wrote last. It has just written each operation that it carries out, so it knows the fault
 * without reading the store. Anything later has to read the store: another process may have written to the order since, such
 * as the card of a form.
 */
function writtenOrders() {
  const orders = new Map<string, StoredOrder>()
  return {
    of: (orderId: string) => orders.get(orderId),
    note: ({ order }: Change) => {
      if (order === undefined) return
      if (orders.size >= MOST_WRITTEN) orders.clear()
      orders.set(order.order.orderId, order.order)
    },
  }
}
