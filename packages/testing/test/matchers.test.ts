import { AssertionError } from 'node:assert'
import type { Timeline } from '@tallystick/gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  assertApproved,
  assertBalanced,
  assertChargedOnce,
  buildInput,
  cards,
  paymentMatchers,
  replyValues,
  saleInput,
  startGateway,
  type TestGateway,
} from '../src/index.ts'
import type { Orders } from '../src/matchers/judgement.ts'
import type { Charged } from '../src/matchers/payment-matchers.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ socket: false })
})
afterAll(() => gateway.close())

let orders = 0

/** Without digits, because messages mask what looks like a card number. */
function newOrder(): string {
  return `order-${[...String(++orders)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
}

/** An order of an approved or declined sale. */
async function sold(changes: Parameters<typeof saleInput>[0] = {}): Promise<Timeline> {
  const input = saleInput({ clientOrderId: newOrder(), ...changes })
  await gateway.client().sale(input)
  await gateway.settled()
  return await gateway.order(input.clientOrderId)
}

function told(matcher: keyof typeof paymentMatchers, value: unknown): readonly [boolean, string] {
  const { pass, message } = (paymentMatchers[matcher] as (value: unknown) => { pass: boolean; message: () => string })(
    value,
  )
  return [pass, message()]
}

describe('toBeApproved', () => {
  test.each([
    ['a status', replyValues('status'), true, 'The payment inv4097763 is approved.'],
    [
      'a declined status',
      replyValues('status', { status: 'declined', errorMessage: 'Expired card', errorCode: '101' }),
      false,
      'The payment inv4097763 is declined (Expired card, code 101).',
    ],
    [
      'a status with a code alone',
      { status: 'declined', errorCode: '101' },
      false,
      'The payment is declined (code 101).',
    ],
    ['an outcome', { outcome: 'approved', clientOrderId: 'a', orderId: '1' }, true, 'The payment a is approved.'],
    ['no outcome', { outcome: 'undecided', clientOrderId: 'a' }, false, 'The payment a is undecided.'],
    ['a status that is not known yet', { status: 'unknown' }, false, 'The payment is unknown.'],
  ] as const)('judges %s', (_title, value, pass, message) => {
    expect(told('toBeApproved', value)).toEqual([pass, message])
  })

  const NO_STATUS = 'It has no status: give a status reply, an outcome, or gateway.order(id)'

  test.each<readonly [string, object | null | undefined, string]>([
    ...['accepted', 'rejected', 'unknown', 'notSent'].map(
      (outcome) =>
        [
          `the end of a call: ${outcome}`,
          { outcome, reply: {} },
          `This is how a call ended (${outcome}), not a payment: ask client.status or client.waitForOutcome`,
        ] as const,
    ),
    ['nothing', undefined, NO_STATUS],
    ['null', null, NO_STATUS],
    ['something without a status', {}, NO_STATUS],
    ['a reply of HTTP', { status: 200 }, NO_STATUS],
  ])('refuses a value that is no payment, so that `not` does not pass either: %s', (_title, value, message) => {
    expect(() => told('toBeApproved', value)).toThrow(new TypeError(message))
    expect(() => assertApproved(value as Parameters<typeof assertApproved>[0])).toThrow(new TypeError(message))
  })

  test('does not repeat a card number that a gateway quotes', () => {
    const errorMessage = 'Card 4444 5555 6666 1111 of 4444333322221111 is not allowed'
    expect(told('toBeApproved', { status: 'declined 4444555566661111', errorMessage })).toEqual([
      false,
      // The first six digits and the last four may be shown.
      'The payment is declined 444455******1111 (Card 444455******1111 of 444433******1111 is not allowed).',
    ])
    expect(() => assertApproved({ status: 'declined', errorMessage })).toThrow('(Card 444455******1111 of')
  })

  test('judges an order of the gateway', async () => {
    const [paid, declined] = [await sold(), await sold(cards.stolen)]
    expect(told('toBeApproved', paid)).toEqual([true, `The payment ${paid.clientOrderId} is approved.`])
    const why = `The payment ${declined.clientOrderId} is declined (Pick up card, stolen, code 209).`
    expect(told('toBeApproved', declined)).toEqual([false, why])
    const outcome = await gateway.client().waitForOutcome({ clientOrderId: declined.clientOrderId })
    expect(told('toBeApproved', outcome)).toEqual([false, why])
  })

  test('says which step of 3DS an order waits for', async () => {
    const waiting = await sold(cards.threeDsChallenge)
    const why = `The payment ${waiting.clientOrderId} is processing (waits for the customer: challenge).`
    expect(told('toBeApproved', waiting)).toEqual([false, why])
  })
})

describe('toHaveBeenChargedOnce', () => {
  test('holds for a sale, even if it was refunded later', async () => {
    const order = await sold()
    await gateway.client().return({ clientOrderId: order.clientOrderId, orderId: order.orderId })
    await gateway.settled()
    const returned = await gateway.order(order.clientOrderId)
    expect([returned.transactionType, returned.amount]).toEqual(['reversal', '0.00'])
    const why = `There was one charge: sale of ${order.clientOrderId} over 10.42 USD.`
    expect(told('toHaveBeenChargedOnce', returned)).toEqual([true, why])
  })

  test('does not hold if nothing was charged, and says what was tried', async () => {
    const declined = await sold(cards.declined)
    const why = `Nothing was charged: sale of ${declined.clientOrderId}, declined.`
    expect(told('toHaveBeenChargedOnce', declined)).toEqual([false, why])
    expect(told('toHaveBeenChargedOnce', [])).toEqual([false, 'Nothing was charged: there is no order.'])
  })

  test('compares the money that was charged with what is given, such as the input of the sale', async () => {
    const order = await sold({ amount: '10.42' })
    const holds = (expected: Charged) => paymentMatchers.toHaveBeenChargedOnce(order, expected)
    for (const expected of [
      { amount: '10.42' },
      { amount: '10.4200', currency: 'USD' },
      saleInput({ amount: '10.42' }),
    ]) {
      expect(holds(expected).pass).toBe(true)
    }
    const charged = `There was one charge: sale of ${order.clientOrderId} over 10.42 USD`
    for (const [expected, not] of [
      [{ amount: '10.40' }, '10.40'],
      [{ amount: '1042', currency: 'USD' }, '1042.00 USD'],
      [{ amount: '10.42', currency: 'EUR' }, '10.42 EUR'],
    ] as const) {
      expect([holds(expected).pass, holds(expected).message()]).toEqual([false, `${charged}, not ${not}.`])
    }
    expect(() => assertChargedOnce(order, { amount: '1.00' })).toThrow(`${charged}, not 1.00.`)
  })

  test.each([10.42, '10,42', '-1.00', '', undefined])('refuses to expect the amount %j', async (amount) => {
    const expected = { amount } as Charged
    expect(() => paymentMatchers.toHaveBeenChargedOnce([], expected)).toThrow(TypeError)
    expect(() => assertChargedOnce([], expected)).toThrow("such as { amount: '10.42' }")
  })

  test('does not repeat a card number that is an order id', async () => {
    const order = { ...(await sold()), clientOrderId: 'card-4444555566661111' }
    const why = 'There was one charge: sale of card-444455******1111 over 10.42 USD.'
    expect(told('toHaveBeenChargedOnce', order)).toEqual([true, why])
    const declined = { ...(await sold(cards.declined)), clientOrderId: 'card-4444555566661111' }
    const not = 'Nothing was charged: sale of card-444455******1111, declined.'
    expect(told('toHaveBeenChargedOnce', declined)).toEqual([false, not])
    const wrong = 'card-444455******1111: its status shows 1.00, and the books have 10.42.'
    expect(told('toBalance', { ...order, amount: '1.00' })).toEqual([false, wrong])
  })

  test('does not hold for two orders, or two captures', async () => {
    const [one, other] = [await sold({ amount: '3.00' }), await sold({ amount: '4.50' })]
    expect(told('toHaveBeenChargedOnce', [one, other])).toEqual([
      false,
      `There were 2 charges: sale of ${one.clientOrderId} over 3.00 USD, sale of ${other.clientOrderId} over 4.50 USD.`,
    ])
    const client = gateway.client()
    const { clientOrderId } = buildInput('preauth')
    await client.preauth(buildInput('preauth', { clientOrderId }))
    await gateway.settled()
    const { orderId } = await gateway.order(clientOrderId)
    expect(told('toHaveBeenChargedOnce', await gateway.order(clientOrderId))[0]).toBe(false)
    for (const amount of ['1.00', '2.00']) {
      await client.capture(buildInput('capture', { clientOrderId, orderId, amount, currency: 'USD' }))
      await gateway.settled()
    }
    expect(told('toHaveBeenChargedOnce', await gateway.order(clientOrderId))[1]).toContain('There were 2 charges')
  })
})

describe('toBalance', () => {
  test('holds for everything that a gateway has done', async () => {
    const client = gateway.client()
    await client.payout(buildInput('payout'))
    await client.transfer(buildInput('transfer'))
    await client.transfer(buildInput('transfer', { depositToCard: true }))
    await client.sale(saleInput(cards.threeDsChallenge))
    await gateway.settled()
    await gateway.clock.advance('8d')
    expect(told('toBalance', await gateway.orders())).toEqual([true, 'The books balance.'])
  })

  test('does not hold for books with a mistake, and names it', async () => {
    const order = await sold({ amount: '10.42' })
    const [payer, merchant] = ['payer', 'merchant'].map((name) =>
      order.postings.find(({ account }) => account === name),
    )
    if (payer === undefined || merchant === undefined) throw new Error('A sale has two postings')
    const short = { ...order, postings: [payer, { ...merchant, amount: '10.40' }] }
    expect(told('toBalance', short)).toEqual([
      false,
      `${order.clientOrderId}: the postings of its sale sum to -0.02; ` +
        `${order.clientOrderId}: its status shows 10.42, and the books have 10.40.`,
    ])
    const stolen = { ...order, operations: [...order.operations, { ...order.operations[0], id: 'x' }] }
    const posting = { ...merchant, amount: '0.02', operationId: 'x' }
    expect(told('toBalance', { ...stolen, postings: [...short.postings, posting] })).toEqual([
      false,
      `${order.clientOrderId}: the postings of its sale sum to -0.02; ` +
        `${order.clientOrderId}: the postings of its sale sum to 0.02.`,
    ])
    const overdrawn = { ...order, postings: [{ ...payer, account: 'hold' }, merchant], amount: '0.00' } as Orders
    expect(told('toBalance', overdrawn)).toEqual([false, `${order.clientOrderId}: its hold is overdrawn by 10.42.`])
  })
})

test('every matcher refuses a promise that was not awaited, with `not` as well', () => {
  for (const judged of Object.values(paymentMatchers) as readonly ((value: unknown) => unknown)[]) {
    expect(() => judged(gateway.orders())).toThrow(new TypeError('This is a Promise: await it'))
  }
  const status = Promise.resolve(replyValues('status')) as unknown as Parameters<typeof assertApproved>[0]
  expect(() => assertApproved(status)).toThrow('await it')
})

test.each([
  [undefined, 'undefined is no order of the gateway: give await gateway.order(id), or await gateway.orders()'],
  [null, 'null is no order of the gateway'],
  [[undefined], 'undefined is no order of the gateway'],
  [replyValues('status'), 'This is no order of the gateway'],
])('a value that is no order is refused: %#', (value, message) => {
  const given = value as unknown as Orders
  expect(() => assertChargedOnce(given)).toThrow(message)
  expect(() => assertBalanced(given)).toThrow(TypeError)
  expect(() => paymentMatchers.toHaveBeenChargedOnce(given)).toThrow(message)
})

describe('the assertions', () => {
  test('pass and fail as the matchers do', async () => {
    const order = await sold()
    assertApproved(order)
    assertChargedOnce(order)
    assertBalanced(await gateway.orders())
    expect(() => assertApproved({ status: 'filtered' })).toThrow(AssertionError)
    expect(() => assertApproved({ status: 'filtered' })).toThrow('The payment is filtered.')
    expect(() => assertChargedOnce([])).toThrow('Nothing was charged')
    expect(() => assertBalanced({ ...order, amount: '1.00' })).toThrow('its status shows 1.00')
  })

  test('fail at the line of the test', () => {
    try {
      assertApproved({ status: 'declined' })
    } catch (error) {
      expect(String((error as Error).stack).split('\n')[1]).toContain('matchers.test.ts')
      return
    }
    throw new Error('It passed')
  })
})
