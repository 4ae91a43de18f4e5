import { createHash } from 'node:crypto'
import type { Callback } from '@tallystick/core'
import { LEAST_WAIT_MS } from '../outcomes/poll.ts'
import { passedMs, systemClock } from '../runtime/system.ts'
import { answer, type Outbound } from './handler.ts'

/** Of one order: what was last reported to the shop, and which callbacks were acknowledged. */
interface HeardOrder {
  /** The last outcome that the shop has taken. */
  reported: string | undefined
  /** Digests of callbacks that were acknowledged. */
  readonly acknowledged: string[]
  /** By the time that nobody sets. */
  askedAt: number
  /** How many status checks the order may have at once. */
  left: number
  /** The check under way, and the digest of the callback that it is for. */
  asking: Promise<Outbound> | undefined
  askedBy: string | undefined
  isAskedLater: boolean
}

/** Checks the status and delivers the outcome, unless it is the one that was reported last. */
type Confirm = (callback: Callback, order: HeardOrder) => Promise<Outbound>

/** How many orders are remembered. One that is forgotten costs a status check and a call of the handler, which bears it. */
const MOST_ORDERS = 10_000
const MOST_DIGESTS = 16
/** A sale, and what follows it at once. After that, an order has a status check in two seconds (docs/guides/callbacks.md). */
const AT_ONCE = 4
/** How long a callback waits for the one before it: less than the 15 seconds that a gateway gives it. */
const LONGEST_WAIT_MS = 10_000
/** A handler that takes as long as this does not end any more: the next one is called beside it. */
const HANGS_AFTER_MS = 60_000
/** How often a check that nobody waits for is tried. */
const MOST_TRIES = 5

/**
 * Every customer has a valid callback, and its control leaves out the time and most fields: he may send it as often as he
 * likes. So a repeat costs no status check and no call of the handler. It may be a change that looks like an earlier one, such
 * as a second equal refund, and so the status is checked once more, two seconds after the last time, for all repeats together.
 */
export function repeatedCallbacks(confirm: Confirm): (callback: Callback) => Promise<Outbound> {
  /** The most recently heard last. */
  const orders = new Map<string, HeardOrder>()

  function heardOrder({ clientOrderId, orderId }: Callback): HeardOrder {
    const name = JSON.stringify([clientOrderId, orderId])
    const order = orders.get(name) ?? {
      reported: undefined,
      acknowledged: [],
      askedAt: Number.NEGATIVE_INFINITY,
      left: AT_ONCE,
      asking: undefined,
      askedBy: undefined,
      isAskedLater: false,
    }
    orders.delete(name)
    orders.set(name, order)
    const [oldest] = orders.keys()
    if (orders.size > MOST_ORDERS && oldest !== undefined) orders.delete(oldest)
    return order
  }

  /** One after the other: two at once could deliver the same outcome twice. */
  async function ask(callback: Callback, order: HeardOrder, digest?: string): Promise<Outbound> {
    const until = passedMs() + LONGEST_WAIT_MS
    while (order.asking !== undefined && passedMs() - order.askedAt < HANGS_AFTER_MS) {
      if (!(await endsBefore(until, order.asking))) return answer(503, 'The callback before it takes long; call again.')
    }
    order.askedAt = passedMs()
    order.askedBy = digest
    const asking = confirm(callback, order)
    order.asking = asking
    try {
      return await asking
    } finally {
      if (order.asking === asking) order.asking = undefined
    }
  }

  function askLater(callback: Callback, order: HeardOrder, triesLeft = MOST_TRIES): void {
    if (order.isAskedLater || triesLeft === 0) return
    order.isAskedLater = true
    systemClock.schedule(Math.max(0, order.askedAt + LEAST_WAIT_MS - passedMs()), () => {
      order.isAskedLater = false
      void askUnheard(callback, order, triesLeft)
    })
  }

  /** The callback was answered: if this fails, only another try helps. */
  async function askUnheard(callback: Callback, order: HeardOrder, triesLeft: number): Promise<void> {
    const { status } = await ask(callback, order).catch(() => ({ status: 503 }))
    if (status !== 200) askLater(callback, order, triesLeft - 1)
  }

  /** Whether the order may have another status check now. */
  function mayAsk(order: HeardOrder): boolean {
    const now = passedMs()
    order.left = Math.min(AT_ONCE, order.left + Math.floor((now - order.askedAt) / LEAST_WAIT_MS))
    if (order.left === 0) return false
    order.left--
    return true
  }

  return async (callback) => {
    const order = heardOrder(callback)
    const digest = createHash('sha256').update(JSON.stringify(callback)).digest('base64')
    const isRepeat = order.acknowledged.includes(digest)
    if (isRepeat && passedMs() - order.askedAt < LEAST_WAIT_MS) {
      askLater(callback, order)
      return answer(200, 'OK')
    }
    if (order.asking !== undefined && order.askedBy === digest) {
      askLater(callback, order)
      return await order.asking
    }
    if (!mayAsk(order)) return answer(503, 'The status was checked a moment ago; call again.')
    const answered = await ask(callback, order, digest)
    if (answered.status === 200 && !order.acknowledged.includes(digest)) {
      order.acknowledged.push(digest)
      if (order.acknowledged.length > MOST_DIGESTS) order.acknowledged.shift()
    }
    return answered
  }
}

function endsBefore(until: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = systemClock.schedule(Math.max(0, until - passedMs()), () => resolve(false))
    const end = () => {
      cancel()
      resolve(true)
    }
    work.then(end, end)
  })
}
