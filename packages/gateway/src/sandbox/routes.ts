import { operationKeys, toMinorUnits } from '@tallystick/core'
import * as z from 'zod'
import { FAULT_NAMES } from '../faults/faults.ts'
import type { Timeline } from '../inspection/history.ts'
import { INSPECTED_STATUSES } from '../inspection/inspection.ts'
import { type Clock, type Duration, milliseconds, type VirtualClock } from '../runtime/clock.ts'
import { type Route, readBody, readFields, requireNoFields, type SandboxGateway, SandboxRequestError } from './route.ts'

const ID = 'must be the id of an order: 15 digits'
const LIMIT = 'must be a whole number from 1 to 1000'
const AMOUNT = 'must be in major units with a dot, like 10.50'
const TEXT = z.string('must be a text').min(1, 'must be a text')

/** In a query a number is a text; in JSON it may be either. */
const Filter = z.strictObject({
  login: TEXT.optional(),
  clientOrderId: TEXT.optional(),
  status: z.enum(INSPECTED_STATUSES, `must be one of ${INSPECTED_STATUSES.join(', ')}`).optional(),
  limit: z
    .union([z.string(), z.number()], LIMIT)
    .transform(String)
    .pipe(z.string().regex(/^([1-9]\d{0,2}|1000)$/, LIMIT))
    .default('50'),
})
const Named = z.strictObject({ orderId: z.string(ID).regex(/^\d{15}$/, ID) })
const Chargeback = z.strictObject({
  amount: z
    .string(AMOUNT)
    .regex(/^\d{1,10}(\.\d{1,4})?$/, AMOUNT)
    .optional(),
  caseId: TEXT.optional(),
})

const NO_ORDER = { status: 404, body: { error: 'there is no order of this id' } }

const LIST_OF_ORDERS = {
  path: /^\/orders$/,
  shown: '/__sandbox/orders',
  takes: {
    login: 'only of this merchant',
    clientOrderId: 'only with this id',
    status: 'only with this status',
    limit: 'at most so many; default 50',
  },
  meaning: 'The orders with their timelines, those that changed last first.',
}

async function listOrders({ limit, ...filter }: z.infer<typeof Filter>, { sandbox }: SandboxGateway) {
  return { body: { orders: await sandbox.orders({ ...filter, limit: Number(limit) }) } }
}

/** @throws SandboxRequestError for anything else, such as the shop's own id of an order */
function orderIdIn(path: string): string {
  return readFields(Named, { orderId: path }).orderId
}

/** The amounts of a timeline have all decimals of their currency. @throws SandboxRequestError */
function requireFitting(amount: string, { initialAmount = '', currency }: Timeline): void {
  const [, decimals = ''] = initialAmount.split('.')
  if (toMinorUnits(amount, decimals.length) !== undefined) return
  throw new SandboxRequestError(`amount: must be in units of ${currency}, like ${initialAmount}`, 'amount')
}

const DURATION = 'milliseconds, or like 30s, 15m, 24h, 14d'

const Advance = z.strictObject({ duration: z.custom<Duration>(isDuration, `must be ${DURATION}`) })

/** The last time whose year has four digits. A date can be at most 8.64e15 ms, and what falls due later needs one too. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const TOO_LATE = 'duration: must end in the year 9999 or before'

const CLOCK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/clock$/,
    shown: '/__sandbox/clock',
    meaning: 'The time of the gateway. OAuth requests must be signed with it.',
    answer: async (_, { clock }) => ({ body: timeOf(clock) }),
  },
  {
    method: 'POST',
    path: /^\/clock\/advance$/,
    shown: '/__sandbox/clock/advance',
    takes: { duration: DURATION },
    isRecorded: true,
    meaning: 'Advances the time. What falls due on the way is done, in order, before the answer.',
    answer: async ({ body }, { clock, sandbox, settled }) => {
      const { duration } = readBody(Advance, body)
      if (!canAdvance(clock))
        throw new SandboxRequestError('the clock of this gateway cannot be advanced: it is not a virtual one')
      if (clock.now() + milliseconds(duration) > LATEST) throw new SandboxRequestError(TOO_LATE, 'duration')
      await sandbox.callbacksAnswered()
      await clock.advance(duration)
      await settled()
      return { body: timeOf(clock) }
    },
  },
]

function isDuration(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false
  try {
    return Number.isSafeInteger(milliseconds(value as Duration))
  } catch {
    return false
  }
}

function timeOf(clock: Clock) {
  const now = clock.now()
  return { now: new Date(now).toISOString(), seconds: Math.floor(now / 1000) }
}

function canAdvance(clock: Clock): clock is VirtualClock {
  return 'advance' in clock && typeof clock.advance === 'function'
}

const FAULT = `must be one of ${FAULT_NAMES.join(', ')}`
const Script = z.strictObject({
  fault: z.enum(FAULT_NAMES, FAULT),
  operation: z.enum(operationKeys, `must be one of ${operationKeys.join(', ')}`).optional(),
  clientOrderId: TEXT.optional(),
})

const Draw = z.strictObject({
  probability: z.number('must be a number from 0 to 1').min(0, 'must be from 0 to 1').max(1, 'must be from 0 to 1'),
  only: z.array(z.enum(FAULT_NAMES, FAULT), 'must be a list of faults').min(1, 'must name a fault').optional(),
  seed: z.int('must be a whole number from 0 on').min(0, 'must be a whole number from 0 on').optional(),
})

const FAULT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/faults$/,
    shown: '/__sandbox/faults',
    meaning:
      'The seed, what orders draw, the faults that were asked for and did not happen yet, and those that happened.',
    answer: async (_, { faults }) => ({ body: faults.list() }),
  },
  {
    method: 'POST',
    path: /^\/faults$/,
    shown: '/__sandbox/faults',
    takes: {
      fault: 'the name of a fault',
      operation: 'the key of an operation, such as sale: its next request has the fault',
      clientOrderId: 'or the order that has the fault',
    },
    isRecorded: true,
    meaning: 'Asks for a fault.',
    answer: async ({ body }, { faults }) => {
      const { fault, operation, clientOrderId } = readBody(Script, body)
      if ((operation === undefined) === (clientOrderId === undefined)) {
        throw new SandboxRequestError('operation: give it or clientOrderId, but not both', 'operation')
      }
      if (operation !== undefined) asked(() => faults.next(operation, fault))
      if (clientOrderId !== undefined) asked(() => faults.forOrder(clientOrderId, fault))
      return { body: faults.list() }
    },
  },
  {
    method: 'POST',
    path: /^\/faults\/all$/,
    shown: '/__sandbox/faults/all',
    takes: {
      probability: 'how likely an order is to have a fault, from 0 to 1',
      only: 'the names of the faults to draw from; default: all',
      seed: 'a whole number: the same seed gives the same faults to the same orders; default: a random one',
    },
    isRecorded: true,
    meaning: 'Has every order draw a fault, unless one is asked for it. 0 ends that.',
    answer: async ({ body }, { faults }) => {
      const { probability, ...options } = readBody(Draw, body)
      faults.forAll(probability === 0 ? undefined : { probability, ...options })
      return { body: faults.list() }
    },
  },
  {
    method: 'POST',
    path: /^\/faults\/clear$/,
    shown: '/__sandbox/faults/clear',
    isRecorded: true,
    meaning: 'Forgets the faults that were asked for, and draws as it did at the start.',
    answer: async ({ body }, { faults }) => {
      requireNoFields(body)
      faults.clear()
      return { body: faults.list() }
    },
  },
]

/** Refuses a fault that does not fit the operation. */
function asked(ask: () => void): void {
  try {
    ask()
  } catch (error) {
    throw new SandboxRequestError(`fault: ${(error as Error).message}`, 'fault')
  }
}

const ORDER_ROUTES: readonly Route[] = [
  {
    ...LIST_OF_ORDERS,
    method: 'GET',
    answer: ({ query }, gateway) => listOrders(readFields(Filter, Object.fromEntries(query)), gateway),
  },
  {
    ...LIST_OF_ORDERS,
    method: 'POST',
    answer: ({ body }, gateway) => listOrders(readBody(Filter, body), gateway),
  },
  {
    method: 'GET',
    path: /^\/orders\/([^/]+)$/,
    shown: '/__sandbox/orders/{orderId}',
    meaning: 'One order with its timeline: operations, postings, callbacks with their attempts, and what is due.',
    answer: async ({ id }, { sandbox }) => {
      const order = await sandbox.order(orderIdIn(id))
      return order === undefined ? NO_ORDER : { body: order }
    },
  },
  {
    method: 'POST',
    path: /^\/orders\/([^/]+)\/chargeback$/,
    shown: '/__sandbox/orders/{orderId}/chargeback',
    takes: {
      amount: 'in major units; default: all that is left',
      caseId: "the issuer's id; a case that is sent again counts once",
    },
    meaning: 'The issuer takes back what was sold or captured.',
    answer: async ({ id, body, by }, { sandbox, chargeback }) => {
      const orderId = orderIdIn(id)
      const { amount, caseId } = readBody(Chargeback, body)
      const order = await sandbox.order(orderId)
      if (order === undefined) return NO_ORDER
      if (amount !== undefined) requireFitting(amount, order)
      const result = await chargeback(orderId, amount, caseId, by)
      return result.ok ? { body: result } : { status: 409, body: { error: result.reason, rule: result.rule } }
    },
  },
  {
    method: 'POST',
    path: /^\/callbacks\/resend$/,
    shown: '/__sandbox/callbacks/resend',
    takes: { orderId: 'the id of an order' },
    meaning: 'Sends all callbacks of an order again.',
    answer: async ({ body, by }, { sandbox, resendCallbacks }) => {
      const { orderId } = readBody(Named, body)
      if ((await sandbox.order(orderId)) === undefined) return NO_ORDER
      return { body: { callbacks: await resendCallbacks(orderId, by) } }
    },
  },
  {
    method: 'POST',
    path: /^\/settle$/,
    shown: '/__sandbox/settle',
    meaning: 'Waits until everything that was acknowledged is decided, and every callback that is due was tried.',
    answer: async ({ body }, { settled }) => {
      requireNoFields(body)
      await settled()
      return { body: { settled: true } }
    },
  },
  {
    method: 'POST',
    path: /^\/reset$/,
    shown: '/__sandbox/reset',
    isRecorded: true,
    meaning: 'Forgets all orders, cards and nonces, and the faults that were asked for. The time stays.',
    answer: async ({ body }, { sandbox, faults }) => {
      requireNoFields(body)
      await sandbox.reset()
      faults.clear()
      return { body: { reset: true } }
    },
  },
]

const SET_UP: Route = {
  method: 'GET',
  path: /^\/setup$/,
  shown: '/__sandbox/setup',
  meaning: 'What to put into a shop: the address, and each login with its endpoints. No keys.',
  answer: async (_, { sandbox }) => ({ body: sandbox.setUp }),
}

/** All but the list of what there is. */
export const ROUTES: readonly Route[] = [SET_UP, ...CLOCK_ROUTES, ...FAULT_ROUTES, ...ORDER_ROUTES]
