import { type Profile, toMinorUnits } from '@tallystick/core'
import { exponentOf, type GatewayReply, type GatewayRequest } from '@tallystick/core/internal'
import type { Acquirer } from '../acquirer/acquirer.ts'
import type { CallbackAnswer, SendCallback } from '../callbacks/callback-answer.ts'
import type { OrderFaults, Service } from '../context.ts'
import type { Answer } from '../http/reply.ts'
import { overloaded, SAFE_HEADERS, serverError } from '../http/reply.ts'
import type { Handle, ReadRequest } from '../http/request.ts'
import { readRequest, valuesByName } from '../http/request.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Delivery } from '../store/delivery.ts'
import type { Change, Store } from '../store/store.ts'
import { planDeliveries, withCallbackFaults } from './callback-faults.ts'
import { type FaultControl, type FaultListener, FaultPlan } from './fault-plan.ts'
import type { FaultAt, FaultName, FaultOptions } from './faults.ts'
import {
  CallbackBeforeReturn,
  chargebackAfterReturn,
  withAbandonedChallenges,
  withMethodFrames,
  withOutcomeFaults,
} from './order-faults.ts'

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

/** For a gateway that is not a sandbox: it refuses to be given faults, and says why. */
const noFaultControl: FaultControl = {
  seed: undefined,
  next: refuse,
  forOrder: refuse,
  forAll: refuse,
  clear: () => {},
  list: () => ({ seed: undefined, draw: undefined, next: [], orders: [], struck: [] }),
}

function refuse(): never {
  throw new TypeError('faults are for a sandbox alone: create the gateway with sandbox: true')
}

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
  readonly onFault?: FaultListener | undefined
}

/** @throws TypeError when the options are wrong */
export function faultParts({ options, fraction, store, clock, profile, onFault }: FaultDependencies): FaultParts {
  const desk = new FaultPlan(options, fraction, onFault)
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

interface ReplyFaultDependencies {
  readonly desk: FaultPlan
  readonly handle: Handle
  readonly basePath: string
  readonly profile: Profile
  readonly clock: Clock
  /** Writes an answer in the format that the caller of the request reads. */
  readonly render: (answer: Answer, request: GatewayRequest) => GatewayReply
}

/** How long a slow reply takes: less than the seventy seconds that a client waits (gaps part 13). */
const SLOW_MS = 10_000

/** The connection is cut without a reply. */
const LOST: GatewayReply = { status: 0, headers: {}, body: '', cut: 'before-reply' }

/** What a proxy in front of a gateway might say. */
const PAGE: GatewayReply = {
  status: 200,
  headers: { ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html>\n<html lang="en"><title>One moment</title><p>We will be back in a moment.</p></html>\n',
}

/** A request that has a fault, and the gateway behind it. */
interface Faulty {
  readonly reply: () => Promise<GatewayReply>
  readonly render: (answer: Answer) => GatewayReply
  readonly clock: Clock
}

/** What each fault makes of a reply. The request is carried out when `reply` is called. */
const REPLY_FAULTS: { readonly [Name in FaultAt<'reply'>]: (faulty: Faulty) => Promise<GatewayReply> } = {
  'reply-lost-before-commit': async () => LOST,
  'reply-lost-after-commit': async ({ reply }) => {
    await reply()
    return LOST
  },
  'slow-reply': async ({ reply, clock }) => {
    const slow = await reply()
    await new Promise<void>((resolve) => clock.schedule(SLOW_MS, resolve))
    return slow
  },
  'error-then-committed': async ({ reply, render }) => {
    await reply()
    return render(serverError())
  },
  overloaded: async ({ render }) => render(overloaded()),
  'html-page': async ({ reply }) => {
    await reply()
    return PAGE
  },
  'truncated-body': async ({ reply }) => {
    const whole = await reply()
    return { ...whole, body: whole.body.slice(0, whole.body.length / 2), cut: 'within-body' }
  },
}

/** Answers requests, each with the fault that its reply has. */
function withReplyFaults({ desk, handle, basePath, profile, clock, render }: ReplyFaultDependencies): Handle {
  return async (request) => {
    const read = readRequest(request, basePath, { format: 'json' })
    const fault = read.ok ? desk.strikeReply(faultyRequest(read, profile)) : undefined
    const reply = () => handle(request)
    if (fault === undefined) return await reply()
    request.trace?.read(read.ok ? read : undefined)
    request.trace?.struck(fault)
    return await REPLY_FAULTS[fault]({ reply, clock, render: (answer) => render(answer, request) })
  }
}

function faultyRequest(request: ReadRequest, profile: Profile) {
  const values = valuesByName(request, profile)
  const { clientOrderId = '', amount = '', currency = '', cardNumber = '', destinationCardNumber = '' } = values
  const digits = toMinorUnits(amount.trim(), exponentOf(currency.trim(), profile.exponents))
  return {
    operation: request.key,
    clientOrderId: clientOrderId.trim() || undefined,
    marks: {
      amount: digits === undefined ? undefined : BigInt(digits),
      cards: [cardNumber.trim(), destinationCardNumber.trim()].map((number) => ({
        bin: number.slice(0, 6),
        lastFourDigits: number.slice(-4),
      })),
    },
  }
}
