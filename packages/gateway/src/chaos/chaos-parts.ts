import type { Profile } from '@tallystick/core'
import type { Acquirer } from '../acquirer/acquirer.ts'
import type { Background } from '../background.ts'
import type { Delivery } from '../callbacks/delivery.ts'
import type { CallbackAnswer, SendCallback } from '../callbacks/send-callback.ts'
import type { Clock } from '../clock.ts'
import type { Answer } from '../http/answer.ts'
import type { GatewayReply, GatewayRequest, Handle } from '../http/exchange.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Change, Store } from '../store/store.ts'
import { withAbandonedChallenges } from './abandoned-challenges.ts'
import { CallbackBeforeReturn } from './callback-before-return.ts'
import { withCallbackFaults } from './callback-faults.ts'
import type { Chaos } from './chaos.ts'
import { chargebackAfterReturn } from './chargeback-after-return.ts'
import { type ChaosOptions, readDraw } from './draw-fault.ts'
import { FaultDesk } from './fault-desk.ts'
import type { FaultName } from './faults.ts'
import { withMethodFrames } from './method-frames.ts'
import { withOutcomeFaults } from './outcome-faults.ts'
import { planDeliveries } from './planned-deliveries.ts'
import { withReplyFaults } from './reply-faults.ts'

/**
 * What the pages ask about an order, by the names of the table: `of(order).has('three-ds-abandoned')`, and `method-time-out`
 * likewise. Before a browser is sent back to the shop they wait for `callbackBeforeReturn(order)`, which takes no time for
 * an order without that fault.
 */
export interface OrderFaults {
  of(order: StoredOrder): ReadonlySet<FaultName>
  callbackBeforeReturn(order: StoredOrder): Promise<void>
}

const NONE: ReadonlySet<FaultName> = new Set()

/** What a gateway that is no sandbox has. */
export const noFaults: OrderFaults = { of: () => NONE, callbackBeforeReturn: async () => {} }

/** The ports of a gateway with the faults of its orders in between. */
export interface ChaosParts {
  readonly chaos: Chaos
  readonly faults: OrderFaults
  handle(handle: Handle): Handle
  acquirer(acquirer: Acquirer): Acquirer
  send(send: SendCallback): (url: string, delivery: Delivery) => Promise<CallbackAnswer>
  /** A change before it is written. */
  plan(change: Change): Promise<Change>
  /** A change that was written. */
  note(change: Change): void
}

export interface ChaosDependencies {
  readonly options: ChaosOptions | undefined
  readonly madeUpSeed: () => number
  readonly store: Pick<Store, 'orderById' | 'deliveriesOf'>
  readonly clock: Clock
  readonly background: Background
  readonly profile: Profile
  readonly basePath: string
  readonly render: (answer: Answer, request: GatewayRequest) => GatewayReply
  readonly chargeBack: (orderId: string) => Promise<unknown>
}

/** @throws TypeError when the options are wrong */
export function chaosParts(dependencies: ChaosDependencies): ChaosParts {
  const { options, madeUpSeed, store, clock } = dependencies
  const desk = new FaultDesk(options && readDraw(options, madeUpSeed))
  const deliveriesOf = (orderId: string) => store.deliveriesOf(orderId)
  const orderById = (orderId: string) => store.orderById(orderId)
  const written = writtenOrders()
  const asWritten = async (orderId: string) => written.of(orderId) ?? (await store.orderById(orderId))
  const beforeReturn = new CallbackBeforeReturn(desk, clock, deliveriesOf)
  return {
    chaos: desk,
    faults: { of: (order) => desk.of(order), callbackBeforeReturn: (order) => beforeReturn.wait(order) },
    handle: (handle) => withReplyFaults({ ...dependencies, desk, handle }),
    acquirer: (acquirer) => {
      const framed = withMethodFrames(acquirer, desk, orderById)
      return withOutcomeFaults(withAbandonedChallenges(framed, desk, orderById), desk, { asWritten, orderById })
    },
    send: (send) => {
      const faulty = withCallbackFaults(send, desk, orderById)
      return (url, delivery) => faulty(url, delivery).finally(() => beforeReturn.sent(delivery.orderId))
    },
    plan: (change) => planDeliveries(change, desk, deliveriesOf),
    note: (change) => {
      written.note(change)
      chargebackAfterReturn(change, { ...dependencies, desk })
    },
  }
}

const MOST_WRITTEN = 4096

/**
 * Orders as this process has written them last: what it carries out it has just written, so that its fault is known without a
 * look into the store. Whatever comes later may know less here than there: a form gets its card in any process.
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
