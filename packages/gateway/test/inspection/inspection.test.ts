import { defineProfile } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../src/index.ts'
import { inspectionOf, type OrderFilter } from '../../src/inspection/inspection.ts'
import { afterNextTurn } from '../../src/runtime/system.ts'
import { MOST_LOOKED_AT } from '../../src/store/sql/list-queries.ts'
import { opening, operation, order } from '../store/changes.ts'
import { sqliteFile } from '../store/sqlite-file.ts'
import { desk, MONEY } from '../support/desk.ts'
import { BASE_URL, CARD, NOW, PAYER, SHOP } from '../support/signed-requests.ts'

describe('orders', () => {
  test('[F-D12] are listed as their statuses show them, the latest first', async () => {
    const { gateway, sale, preauth, clock } = desk()
    const first = await sale()
    await clock.advance('1m')
    const second = await preauth({ cvv2: '116', amount: '10.50' })
    const { items, next } = await gateway.inspect.orders()
    const at = (minutes: number) => new Date(NOW * 1000 + minutes * 60_000).toISOString()
    const card = { bin: CARD.credit_card_number.slice(0, 6), lastFourDigits: CARD.credit_card_number.slice(-4) }
    const common = { login: 'shop', endpointId: '1111', currency: 'EUR', card: { ...card, cardType: 'VISA' } }
    expect(next).toBeUndefined()
    expect(items).toEqual([
      {
        ...common,
        orderId: second.orderid,
        clientOrderId: second.client_orderid,
        createdAt: at(1),
        status: 'declined',
        transactionType: 'preauth',
        orderStage: 'auth_declined',
        amount: '0.00',
        initialAmount: '10.50',
        cursor: `${NOW * 1000 + 60_000}_${second.orderid}`,
      },
      expect.objectContaining({ ...common, orderId: first.orderid, createdAt: at(0), status: 'approved' }),
    ])
  })

  test('[F-D12] are found by the status that they show, also where it depends on the time', async () => {
    const { gateway, sale, payoutCheck, clock } = desk()
    await sale({ cvv2: '217' })
    await sale({ cvv2: '321' })
    await sale({ cvv2: '116' })
    await sale()
    await payoutCheck()
    const kinds = async (status: OrderFilter['status']) =>
      (await gateway.inspect.orders({ status })).items.map(({ transactionType }) => transactionType)
    expect(await kinds('unknown')).toEqual(['sale'])
    expect(await kinds('approved')).toEqual(['sale'])
    expect((await kinds('processing')).toSorted()).toEqual(['payout', 'sale'])
    expect(await kinds('declined')).toEqual(['sale'])
    await clock.advance('16m')
    expect(await kinds('processing')).toEqual(['sale'])
    expect((await kinds('declined')).toSorted()).toEqual(['payout', 'sale'])
  })

  test('[F-D12] are paged without a gap and without a repeat while orders come in', async () => {
    const { gateway, sale, clock } = desk()
    const made: string[] = []
    for (let count = 0; count < 5; count += 1) {
      made.push((await sale()).orderid)
      if (count % 2 === 0) await clock.advance('1s')
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await gateway.inspect.orders({ limit: 2, cursor })
      seen.push(...page.items.map(({ orderId }) => orderId))
      cursor = page.next
      await sale()
    } while (cursor !== undefined)
    expect(seen.toSorted()).toEqual(made.toSorted())
  })

  test('[F-D12] are found among very many, a part of them at a time', async () => {
    const { store, end } = sqliteFile().open()
    const many = Array.from({ length: MOST_LOOKED_AT + 10 }, (_, digits) =>
      order(digits, {
        createdAt: NOW + digits,
        operations: [operation({ status: digits === 3 ? 'unknown' : 'approved' })],
      }),
    )
    await Promise.all(many.map((each) => store.commit(opening(each), NOW * 1000)))
    const asked: number[] = []
    const listOrders: typeof store.listOrders = async (query) => {
      const page = await store.listOrders(query)
      asked.push(page.orders.length)
      return page
    }
    const profile = defineProfile({ baseUrl: BASE_URL })
    const inspect = inspectionOf({ store: { ...store, listOrders }, profile, clock: virtualClock(NOW * 1000) })
    const { items, next } = await inspect.orders({ status: 'unknown' })
    expect([items.map(({ orderId }) => orderId), next, asked]).toEqual([[order(3).orderId], undefined, [0, 1]])
    expect((await inspect.orders({ limit: 1000 })).items).toHaveLength(1000)
    expect(Math.max(...asked)).toBe(100)
    await end()
  })

  test('[F-D12] are read a part at a time, however many ask at once', async () => {
    const { store, end } = sqliteFile().open()
    await Promise.all([1, 2, 3].map((digits) => store.commit(opening(order(digits)), NOW * 1000)))
    const asked: string[] = []
    const listOrders: typeof store.listOrders = async (query) => {
      asked.push('asked')
      const page = await store.listOrders(query)
      await new Promise<void>(afterNextTurn)
      asked.push('answered')
      return page
    }
    const profile = defineProfile({ baseUrl: BASE_URL })
    const inspect = inspectionOf({ store: { ...store, listOrders }, profile, clock: virtualClock(NOW * 1000) })
    const pages = await Promise.all(Array.from({ length: 5 }, () => inspect.orders({ limit: 2 })))
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 2, 2, 2])
    expect(asked).toEqual(Array(5).fill(['asked', 'answered']).flat())
    await end()
  })

  test.for([
    [{ limit: 0 }, /limit must be a whole number from 1 to 1000/],
    [{ limit: 1001 }, /limit must be/],
    [{ cursor: "1_1' OR 1=1" }, /cursor must be/],
    [{ status: 'sent' }, /status must be/],
    [{ since: 'today' }, /since must be/],
    [{ merchant: 'shop' }, /there is no option merchant/],
  ] as const)('[F-D12] a wrong filter is refused: %j', async ([filter, problem]) => {
    const { gateway } = desk()
    await expect(gateway.inspect.orders(filter as unknown as OrderFilter)).rejects.toThrow(problem)
  })
})

test('[F-D12] the history of an order has operations, postings, callbacks and what operators did', async () => {
  const { gateway, sale, capture, preauth, clock } = desk({ sendCallback: async () => ({ status: 503 }) })
  const held = await preauth({ server_callback_url: 'https://shop.example.com/cb?token=of-the-shop' })
  await capture(held, { amount: '1.00', currency: 'EUR' })
  await clock.advance('1s')
  await gateway.resendCallbacks(held.orderid, { who: 'anna', why: 'the shop was down', from: '127.0.0.1' })
  await gateway.settled()
  const history = await gateway.inspect.order(held.orderid)
  expect(history?.operations.map(({ kind, amount, status }) => [kind, amount, status])).toEqual([
    ['preauth', '10.42', 'approved'],
    ['capture', '1.00', 'approved'],
  ])
  expect(history?.postings.map(({ account, amount }) => `${account} ${amount}`).toSorted()).toEqual([
    'hold -1.00',
    'hold 10.42',
    'merchant 1.00',
    'payer -10.42',
  ])
  const again = new Date(NOW * 1000 + 1000).toISOString()
  expect(history?.callbacks).toMatchObject([
    { id: `${held.orderid}-1`, state: 'open', attempts: 2, lastAnswer: '503', address: 'https://shop.example.com/cb' },
  ])
  expect(Date.parse(history?.callbacks[0]?.dueAt ?? '')).toBeGreaterThan(Date.parse(again))
  expect(history?.tasks.map(({ kind }) => kind)).toEqual(['release'])
  expect(history?.records).toMatchObject([{ at: again, who: 'anna', act: 'resend', why: 'the shop was down' }])
  expect(await gateway.inspect.order((await sale()).orderid)).toMatchObject({ callbacks: [], records: [] })
  expect(await gateway.inspect.order('123456789012345')).toBeUndefined()
})

test('[F-D12] nothing that is read holds a card, a customer, a token, a control or a key', async () => {
  const { gateway, sale, ask } = desk({ sendCallback: async () => ({ status: 410 }) })
  const urls = {
    server_callback_url: 'https://shop.example.com/cb?secret=of-the-shop',
    redirect_url: 'https://shop.example.com/back',
  }
  const { orderid } = await sale({ cvv2: '321', ...urls })
  const declined = await sale({ cvv2: '116', ...urls })
  const form = await ask('/api/v2/sale-form', { ...PAYER, ...MONEY, client_orderid: 'form-1', ...urls })
  const token = /\/([\w-]{20,})$/.exec(form['redirect-url'] ?? '')?.[1] ?? 'no token'
  const orders = await gateway.inspect.orders()
  const histories = await Promise.all(orders.items.map((each) => gateway.inspect.order(each.orderId)))
  const callbacks = await gateway.inspect.givenUpCallbacks()
  expect(callbacks.items.map(({ orderId }) => orderId)).toEqual([declined.orderid])
  expect(histories.map((each) => each?.orderId)).toContain(orderid)
  const text = JSON.stringify([orders, histories, callbacks])
  const secrets = [
    CARD.credit_card_number,
    'john',
    'Smith',
    'example.com/back',
    'of-the-shop',
    'control',
    SHOP.controlKey,
    token,
  ]
  expect(token).not.toBe('no token')
  for (const secret of [...secrets, 'creq', 'acsUrl', 'threeDs', 'digest', 'cardId', 'token'])
    expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
})

test('[F-D12] callbacks that were given up are listed with host and reason, by when that was', async () => {
  let isUp = false
  const { gateway, sale, clock } = desk({
    sendCallback: async (url) => ({ status: isUp ? 200 : url.includes('gone') ? 410 : 500 }),
  })
  const gone = await sale({ server_callback_url: 'https://gone.example.com:8443/cb' })
  const late = await sale({ server_callback_url: 'https://late.example.com/cb' })
  await clock.advance('20d')
  await gateway.settled()
  const { items } = await gateway.inspect.givenUpCallbacks()
  expect(items).toMatchObject([
    { id: `${late.orderid}-1`, orderId: late.orderid, state: 'given-up', host: 'late.example.com', lastAnswer: '500' },
    {
      id: `${gone.orderid}-1`,
      state: 'refused',
      host: 'gone.example.com:8443',
      reason: 'refused by 410',
      attempts: 1,
      givenUpAt: new Date(NOW * 1000).toISOString(),
    },
  ])
  expect(items[0]?.reason).toMatch(/^(14 days|30 attempts)$/)
  const since = NOW * 1000 + 86_400_000
  expect((await gateway.inspect.givenUpCallbacks({ since })).items.map(({ orderId }) => orderId)).toEqual([
    late.orderid,
  ])
  expect((await gateway.inspect.givenUpCallbacks({ login: 'rival' })).items).toEqual([])
  isUp = true
  expect(await gateway.resendCallbacks(`${late.orderid}-1`)).toBe(1)
  await gateway.settled()
  expect((await gateway.inspect.givenUpCallbacks()).items).toHaveLength(1)
})
