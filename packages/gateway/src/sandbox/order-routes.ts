import { toMinorUnits } from '@tallystick/core'
import * as z from 'zod'
import type { Timeline } from '../inspection/timeline.ts'
import { type Route, readBody, readFields, requireNoFields, type SandboxGateway, SandboxRequestError } from './route.ts'

const ID = 'must be the id of an order: 15 digits'
const LIMIT = 'must be a whole number from 1 to 1000'
const AMOUNT = 'must be in major units with a dot, like 10.50'
const TEXT = z.string('must be a text').min(1, 'must be a text')

/** In a query a number is a text; in JSON it may be either. */
const Filter = z.strictObject({
  login: TEXT.optional(),
  clientOrderId: TEXT.optional(),
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
  takes: { login: 'only of this merchant', clientOrderId: 'only with this id', limit: 'at most so many; default 50' },
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

export const ORDER_ROUTES: readonly Route[] = [
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
