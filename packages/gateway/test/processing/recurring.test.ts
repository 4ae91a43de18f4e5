import { describe, expect, test } from 'vitest'
import {
  type EndpointOptions,
  type MerchantOptions,
  simulator,
  type Token,
  type TokenizationRequest,
  virtualClock,
} from '../../src/index.ts'
import { firstCharge } from '../../src/processing/next-charge.ts'
import { deciding, declined } from '../support/acquirers.ts'
import { shopKeys } from '../support/desk.ts'
import { MONTHLY, recurringDesk } from '../support/recurring.ts'
import { merchants } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'

const CALLBACK = 'https://shop.example.com/callback'
const HOUR = 3_600_000
const query = (url: string | undefined) => Object.fromEntries(new URL(url ?? '').searchParams)

/** The usual merchants, with these settings for their endpoints. */
function endpointsWith(settings: Omit<EndpointOptions, 'id'>): MerchantOptions[] {
  return merchants({ shop: shopKeys.publicKey }).map((merchant) => {
    return { ...merchant, endpoints: merchant.endpoints.map((each) => ({ ...each, ...settings })) }
  })
}

describe('a recurring payment with a schedule', () => {
  test('[S2-10] [S4-52] [G13-23] makes an order of its own at each charge, named by its id and number, with its customer and callback', async () => {
    const { profile, told, calls, clock, store } = recurringDesk()
    const customer = { email: 'john@example.com', phone: '+4930123456', 'first-name': 'John', 'last-name': 'Smith' }
    const id = await profile({ server_callback_url: CALLBACK, order_desc: 'Roses', ...customer })
    await clock.advance('31d')
    for (const number of [1, 2]) {
      expect(await told({ client_orderid: `${id}-${number}` })).toMatchObject({
        status: 'approved',
        'transaction-type': 'sale',
        amount: '9.99',
        currency: 'EUR',
        ...customer,
        'last-four-digits': '1111',
        'recurring-payment-id': id,
      })
      expect(query(calls[number - 1])).toMatchObject({
        status: 'approved',
        type: 'sale',
        amount: '9.99',
        client_orderid: `${id}-${number}`,
      })
    }
    expect(calls).toHaveLength(2)
    expect(await store.findOrder({ login: 'shop', clientOrderId: `${id}-3` })).toBeUndefined()
  })

  test('charges at the end of short months, and on the day itself in the others', async () => {
    const { profile, days, clock } = recurringDesk()
    const id = await profile({ 'start-date': '2030-01-31' })
    await clock.advance('150d')
    expect(await days(id)).toEqual(['2030-01-31', '2030-02-28', '2030-03-31', '2030-04-30', '2030-05-31'])
  })

  test('that began on a leap day charges on the 28th of February in the other years', async () => {
    const { profile, days, clock } = recurringDesk()
    const id = await profile({ 'start-date': '2032-02-29', period: 'year' })
    await clock.advance(`${7 * 366}d`)
    expect(await days(id)).toEqual(['2032-02-29', '2033-02-28', '2034-02-28', '2035-02-28', '2036-02-29'])
  })

  test('[G3.4-03] ends on its finish date, which it still charges', async () => {
    const { profile, days, clock, store } = recurringDesk()
    const id = await profile({ period: 'week', 'finish-date': '2030-01-15' })
    await clock.advance('100d')
    expect(await days(id)).toEqual(['2030-01-01', '2030-01-08', '2030-01-15'])
    expect(await store.nextDueAt()).toBeUndefined()
  })

  test('[G3.4-03] without a period makes no charges', async () => {
    const { create, store, clock } = recurringDesk()
    const { period: _, interval: __, ...onRequest } = MONTHLY
    expect(await create(onRequest)).toMatchObject({ status: 'approved' })
    await clock.advance('400d')
    expect(await store.recentOrders('shop', 9)).toEqual([])
  })

  test('that began before its creation does not charge earlier days, but counts them', async () => {
    const { profile, charges } = recurringDesk()
    const id = await profile({ 'start-date': '2029-10-01' })
    expect((await charges(id)).map(({ clientOrderId }) => clientOrderId)).toEqual([`${id}-4`])
  })

  test('[S4-52] that begins on the day before its creation, which is today in the west, charges its first on that of its creation', async () => {
    const { profile, charges, days, clock } = recurringDesk()
    // 2 January, 01:00 in UTC: 1 January in New York.
    await clock.advance('25h')
    const fields = { 'start-date': '2030-01-01', amount: '', 'amount-sequence': '1.00,9.99' }
    const id = await profile(fields)
    expect(await days(id)).toEqual(['2030-01-02'])
    const once = await profile({ ...fields, 'finish-date': '2030-01-01' })
    await clock.advance('40d')
    expect(await days(id)).toEqual(['2030-01-02', '2030-02-01'])
    expect((await charges(id)).map(({ operations }) => operations[0]?.amount)).toEqual([100n, 999n])
    expect(await days(once)).toEqual(['2030-01-02'])
  })

  test.each([
    ['1', ['2030-01-02', '2030-01-03', '2030-01-04']],
    ['2', ['2030-01-02', '2030-01-03', '2030-01-05']],
  ])(
    'that begins every %s days on the day before its creation charges once on a day, and each of its amounts',
    async (interval, expected) => {
      const { profile, charges, days, clock } = recurringDesk()
      await clock.advance('25h')
      const amounts = { amount: '', 'amount-sequence': '1.00,2.00,9.99' }
      const finish = { 'finish-date': expected.at(-1) ?? '' }
      const id = await profile({ ...amounts, ...finish, period: 'day', interval, 'start-date': '2030-01-01' })
      expect(await days(id)).toEqual(expected.slice(0, 1))
      await clock.advance('9d')
      expect(await days(id)).toEqual(expected)
      expect(
        (await charges(id)).map(({ clientOrderId, operations }) => [clientOrderId, operations[0]?.amount]),
      ).toEqual([
        [`${id}-1`, 100n],
        [`${id}-2`, 200n],
        [`${id}-3`, 999n],
      ])
    },
  )

  test('that begins on the day before its creation charges at the time of its endpoint on that of its creation', async () => {
    const made = recurringDesk({ merchants: endpointsWith({ charges: { time: '18:00' } }) })
    await made.clock.advance('25h')
    const id = await made.profile({ period: 'day', 'start-date': '2030-01-01', 'finish-date': '2030-01-03' })
    expect(await made.days(id)).toEqual([])
    await made.clock.advance('9d')
    expect((await made.charges(id)).map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 16))).toEqual([
      '2030-01-02T18:00',
      '2030-01-03T18:00',
    ])
  })

  test('that began two days before its creation where its endpoint is does not charge these days', async () => {
    const charges = { timeZone: 'Pacific/Auckland' }
    const made = recurringDesk({ merchants: endpointsWith({ charges }) })
    // 1 January, 12:00 in UTC: 2 January, 01:00 in Auckland.
    await made.clock.advance('12h')
    const id = await made.profile({ period: 'day', 'start-date': '2029-12-31', 'finish-date': '2030-01-03' })
    await made.clock.advance('9d')
    expect((await made.charges(id)).map(({ clientOrderId, createdAt }) => [clientOrderId, createdAt])).toEqual([
      [`${id}-3`, Date.UTC(2030, 0, 1, 12)],
      [`${id}-4`, Date.UTC(2030, 0, 2, 11)],
    ])
  })

  test('that began two days before its creation does not charge these days', async () => {
    const { profile, days, clock } = recurringDesk()
    await clock.advance('48h')
    const id = await profile({ period: 'day', 'start-date': '2030-01-01', 'finish-date': '2030-01-04' })
    await clock.advance('9d')
    expect(await days(id)).toEqual(['2030-01-03', '2030-01-04'])
  })

  test('charges at the time of day and in the time zone of its endpoint, in summer and in winter', async () => {
    const charges = { time: '02:30', timeZone: 'Europe/Berlin' }
    const made = recurringDesk({ merchants: endpointsWith({ charges }) })
    const id = await made.profile({ period: 'day', 'start-date': '2030-03-30', 'finish-date': '2030-04-01' })
    const autumn = await made.profile({ period: 'day', 'start-date': '2030-10-26', 'finish-date': '2030-10-28' })
    await made.clock.advance('365d')
    const instants = async (of: string) =>
      (await made.charges(of)).map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 16))
    // Clocks went forward on 31 March 2030, at 02:00, and back on 27 October, at 03:00.
    expect(await instants(id)).toEqual(['2030-03-30T01:30', '2030-03-31T01:30', '2030-04-01T00:30'])
    expect(await instants(autumn)).toEqual(['2030-10-26T00:30', '2030-10-27T00:30', '2030-10-28T01:30'])
  })

  test('whose charge is declined charges again at its next time', async () => {
    let asked = 0
    const execute = simulator().execute
    const acquirer = deciding({ execute: async (each) => (++asked === 1 ? declined() : await execute(each)) })
    const { profile, charges, clock } = recurringDesk({ acquirer })
    const id = await profile()
    await clock.advance('60d')
    expect((await charges(id)).map(({ operations }) => operations[0]?.status)).toEqual([
      'declined',
      'approved',
      'approved',
    ])
  })

  /** An acquirer, and the instruments that it was given. */
  function seeing() {
    const seen: TokenizationRequest[] = []
    const inner = simulator()
    const tokenize = async (instrument: TokenizationRequest) => {
      seen.push(instrument)
      return await inner.tokenize(instrument)
    }
    return { acquirer: { ...inner, tokenize }, seen }
  }

  test('hands the card to the acquirer, without the CVV that it was created with', async () => {
    const { acquirer, seen } = seeing()
    const { profile } = recurringDesk({ acquirer })
    await profile({ cvv2: '123' })
    const card = { expireMonth: '12', expireYear: '2031', cardholderName: 'JOHN SMITH', cvv: undefined }
    expect(seen).toMatchObject([{ card }])
    expect([seen[0]?.card?.pan.reveal(), seen[0]?.destination]).toEqual(['4444333322221111', undefined])
  })

  test('[S4-52] pays out to a card that receives', async () => {
    const { acquirer, seen } = seeing()
    const { profile, told, store } = recurringDesk({ acquirer })
    const id = await profile({ rp_card_type: 'DST' })
    expect(seen[0]?.destination?.pan?.reveal()).toBe('4444333322221111')
    const reply = await told({ client_orderid: `${id}-1` })
    expect(reply).toMatchObject({ 'transaction-type': 'payout', status: 'approved', 'dest-last-four-digits': '1111' })
    expect(await store.postingsOf(reply['paynet-order-id'] ?? '')).toMatchObject([
      { account: 'merchant', amount: -999n },
      { account: 'receiver', amount: 999n },
    ])
  })
})

test('a charge that cannot be written is opened again a minute later, and is not left out', async () => {
  let conflicts = 1
  const store = committing(async ({ order }, commit) =>
    order?.basedOn === 'nothing' && conflicts-- > 0 ? { ok: false, conflict: 'order' } : await commit(),
  )
  const { profile, charges, clock } = recurringDesk({ store })
  const id = await profile()
  expect(await charges(id)).toEqual([])
  await clock.advance('1m')
  expect((await charges(id)).map(({ clientOrderId, operations }) => [clientOrderId, operations[0]?.status])).toEqual([
    [`${id}-1`, 'approved'],
  ])
})

test('charges that are due at one instant come to the acquirer 256 at a time', async () => {
  const asked = { now: 0, most: 0, all: 0 }
  const acquirer = deciding({
    execute: async () => {
      asked.most = Math.max(asked.most, ++asked.now)
      asked.all++
      await new Promise(setImmediate)
      asked.now--
      return declined()
    },
  })
  // One merchant has all places.
  const only = merchants({ shop: shopKeys.publicKey }).slice(0, 1)
  const { profile, store, clock } = recurringDesk({ acquirer, merchants: only })
  const payment = await store.recurringPaymentById(
    await profile({ 'start-date': '2030-01-02', 'finish-date': '2030-01-02' }),
  )
  if (payment === undefined) throw new Error('There is no recurring payment')
  for (let each = 0; each < 300; each++) {
    const another = {
      ...payment,
      recurringPaymentId: `9-${each}`,
      clientOrderId: `9-${each}`,
      requestFields: undefined,
    }
    const first = firstCharge(another, { time: '00:00', timeZone: 'UTC' })
    await store.commit({ recurringPayment: another, tasks: first === undefined ? [] : [first] }, clock.now())
  }
  await clock.advance('1d')
  expect([asked.most, asked.all]).toEqual([256, 301])
})

test('a charge is an order of its endpoint, whose times apply, with the description of the recurring payment', async () => {
  const settings = { settleAfter: '1h', holdFor: '2d', limits: { max: '9.99' } } as const
  const { profile, charges } = recurringDesk({ merchants: endpointsWith(settings) })
  const [charge] = await charges(await profile({ order_desc: 'Roses' }))
  expect(charge).toMatchObject({
    terms: { currency: 'EUR', settleAfter: 3_600_000, holdFor: 2 * 86_400_000 },
    operations: [{ status: 'approved' }],
    details: { orderDesc: 'Roses' },
  })
})

describe('the amount of a charge', () => {
  test('[S4-52] of a range is drawn for each charge, and lies within it', async () => {
    const { profile, charges, clock } = recurringDesk()
    const id = await profile({ amount: '', period: 'day', 'amount-from': '1.00', 'amount-to': '1.02' })
    await clock.advance('99d')
    const amounts = (await charges(id)).map(({ operations }) => operations[0]?.amount)
    expect(amounts).toHaveLength(100)
    expect(new Set(amounts)).toEqual(new Set([100n, 101n, 102n]))
  })

  test('[S4-52] of a range of one amount is that amount', async () => {
    const { profile, charges } = recurringDesk()
    const id = await profile({ amount: '', 'amount-from': '9.99', 'amount-to': '9.99' })
    expect((await charges(id)).map(({ operations }) => operations[0]?.amount)).toEqual([999n])
  })

  test('[S4-52] of a sequence is the one with its number, and after the last the last again', async () => {
    const { profile, charges, clock } = recurringDesk()
    const id = await profile({ amount: '', 'amount-sequence': '1.00,2.50,9.99' })
    await clock.advance('130d')
    expect((await charges(id)).map(({ operations }) => operations[0]?.amount)).toEqual([100n, 250n, 999n, 999n, 999n])
  })

  test.for([
    ['always-2', 'JPY', '1000,300', [100_000n, 30_000n]],
    ['iso-4217', 'JPY', '1000,300', [1000n, 300n]],
    ['iso-4217', 'KWD', '1.005,0.3', [1005n, 300n]],
  ] as const)('[G13-06] by %s, in %s of %s, is in the units of the currency', async ([exponents, ...money]) => {
    const [currency, sequence, expected] = money
    const { profile, charges, clock } = recurringDesk({ profile: { exponents } })
    const id = await profile({ amount: '', currency, 'amount-sequence': sequence })
    await clock.advance('40d')
    expect((await charges(id)).map(({ operations }) => operations[0]?.amount)).toEqual(expected)
  })
})

describe('charges that were missed', () => {
  test('while no process ran are made by the next process, each once and in order', async () => {
    const first = recurringDesk()
    const id = await first.profile()
    await first.gateway.close()
    await first.clock.advance('100d')
    const { store, clock } = first
    const next = recurringDesk({ store, clock })
    await next.recovered()
    expect((await next.charges(id)).map(({ clientOrderId }) => clientOrderId)).toEqual(
      [1, 2, 3, 4].map((number) => `${id}-${number}`),
    )
    const ordered = (await store.recentOrders('shop', 9)).map(({ clientOrderId }) => clientOrderId)
    expect(ordered.toSorted()).toEqual(ordered.toReversed())
    await next.clock.advance('21d')
    expect(await next.charges(id)).toHaveLength(5)
  })

  test('because the acquirer could not take the card are made when it can', async () => {
    let isDown = true
    const inner = simulator()
    const down = new Error('The acquirer has failed in tokenize: the line is down')
    const acquirer = {
      ...inner,
      tokenize: async (instrument: TokenizationRequest) => {
        if (isDown) throw new Error('the line is down')
        return await inner.tokenize(instrument)
      },
    }
    const { profile, charges, clock, heard } = recurringDesk({ acquirer })
    const id = await profile()
    await clock.advance('20m')
    expect(heard).toEqual([1, 2, 3].map(() => [down, undefined]))
    isDown = false
    await clock.advance('15m')
    expect(await charges(id)).toHaveLength(1)
  })
})

test('a card that the acquirer never takes is tried again later, and that is reported', async () => {
  const inner = simulator()
  const asked = Promise.withResolvers<void>()
  const answers = [new Promise<Token>(() => {})]
  const tokenize = (instrument: TokenizationRequest) => {
    asked.resolve()
    return answers.shift() ?? inner.tokenize(instrument)
  }
  const { create, charges, clock, heard, store } = recurringDesk({ acquirer: deciding({ tokenize }) })
  const created = await create({ ...MONTHLY, 'start-date': '2030-01-02' })
  const id = created['recurring-payment-id'] ?? ''
  const due = clock.advance('24h')
  await asked.promise
  await clock.advance('50s')
  await due
  expect(heard.map(([error]) => String(error))).toEqual([
    'Error: The acquirer has failed in tokenize: The answer took too long',
  ])
  const next = await store.nextDueAt()
  expect([await charges(id), next]).toEqual([[], clock.now() + 60_000])
  await clock.advance('1m')
  expect(await charges(id)).toHaveLength(1)
})

test('an acquirer in plain JavaScript may take a card without a promise', async () => {
  const tokenize = () => ({ reference: 'taken' }) as unknown as Promise<Token>
  const { profile, charges, clock, heard } = recurringDesk({ acquirer: deciding({ tokenize }) })
  const id = await profile()
  await clock.advance('1d')
  expect([(await charges(id)).length, heard]).toEqual([1, []])
})

describe('a clock that is set back by an hour', () => {
  test('repeats no charge, and the next comes at its time', async () => {
    const first = recurringDesk()
    const id = await first.profile({ period: 'day' })
    await first.clock.advance(24.5 * HOUR)
    await first.gateway.close()
    const clock = virtualClock(first.clock.now() - HOUR)
    const next = recurringDesk({ store: first.store, clock })
    await next.recovered()
    await clock.advance('1h')
    expect(await next.charges(id)).toHaveLength(2)
    await clock.advance('24h')
    expect(await next.days(id)).toEqual(['2030-01-01', '2030-01-02', '2030-01-03'])
  })
})

describe('a clock that is set ahead', () => {
  test('runs what is due by then with the next event, and does not wait for its old timer', async () => {
    const inner = virtualClock(Date.UTC(2030, 0, 1))
    let ahead = 0
    const { profile, sale, charges, calls } = recurringDesk({ clock: { ...inner, now: () => inner.now() + ahead } })
    const id = await profile()
    ahead = 40 * 24 * HOUR
    await sale({ server_callback_url: CALLBACK })
    expect(calls).toHaveLength(1)
    expect(await charges(id)).toHaveLength(2)
  })
})

describe('a period that was charged under its name already', () => {
  test('is not charged again, and the schedule goes on', async () => {
    const { profile, sale, charges, clock, store } = recurringDesk()
    const id = await profile()
    await sale({ client_orderid: `${id}-2` })
    await clock.advance('60d')
    expect((await charges(id)).map(({ operations }) => operations[0]?.amount)).toEqual([999n, 1042n, 999n])
    expect(await store.nextDueAt()).toBeGreaterThan(clock.now())
  })

  test('is not charged again where client order ids may repeat', async () => {
    const { profile, sale, charges, clock } = recurringDesk({ allowRepeats: true })
    const id = await profile()
    await sale({ client_orderid: `${id}-2` })
    await clock.advance('31d')
    expect(await charges(id)).toHaveLength(2)
  })
})

describe('a charge that the endpoint no longer accepts', () => {
  const changed = [
    ['of another amount', { limits: { max: '5.00' } }, '10'],
    ['of another currency', { currencies: ['USD'] }, '7'],
  ] as const
  test.for(changed)('%s is filtered, without the acquirer, and the schedule goes on', async ([, settings, code]) => {
    const first = recurringDesk()
    const id = await first.profile({ server_callback_url: CALLBACK })
    await first.gateway.close()
    const { store, clock } = first
    const acquirer = deciding({ execute: () => Promise.reject(new Error('never')) })
    const next = recurringDesk({ store, clock, acquirer, merchants: endpointsWith(settings) })
    await next.recovered()
    await clock.advance('60d')
    expect(next.heard).toEqual([])
    for (const number of [2, 3]) {
      expect(await next.told({ client_orderid: `${id}-${number}` })).toMatchObject({
        status: 'filtered',
        'error-code': code,
      })
    }
    expect(next.calls.map((url) => query(url)['status'])).toEqual(['filtered', 'filtered'])
  })

  test('[G13-06] is compared with its limits in the units of the currency', async () => {
    const iso = { profile: { exponents: 'iso-4217' } } as const
    const first = recurringDesk(iso)
    const id = await first.profile({ currency: 'JPY', amount: '1000' })
    await first.gateway.close()
    const { store, clock } = first
    const next = recurringDesk({ ...iso, store, clock, merchants: endpointsWith({ limits: { max: '999' } }) })
    await next.recovered()
    await clock.advance('31d')
    expect(await next.told({ client_orderid: `${id}-2` })).toMatchObject({ status: 'filtered', 'error-code': '10' })
  })

  test('because the endpoint is gone is filtered, and the loop goes on', async () => {
    const first = recurringDesk()
    const id = await first.profile()
    await first.gateway.close()
    const { store, clock } = first
    const others = endpointsWith({}).map((merchant) => ({ ...merchant, endpoints: merchant.endpoints.slice(-1) }))
    const next = recurringDesk({ store, clock, merchants: others })
    await next.recovered()
    await clock.advance('60d')
    expect((await next.charges(id)).map(({ operations }) => operations[0]?.status)).toEqual([
      'approved',
      'filtered',
      'filtered',
    ])
  })

  test.for([
    ['the login was renamed', (all: MerchantOptions[]) => all.map((each) => ({ ...each, login: `${each.login}-2` }))],
    [
      'it was given to another merchant',
      ([shop, rival]: MerchantOptions[]) =>
        shop && rival
          ? [
              { ...shop, endpoints: rival.endpoints },
              { ...rival, endpoints: shop.endpoints },
            ]
          : [],
    ],
  ] as const)('because the endpoint is not its merchant’s any more, since %s, is filtered', async ([, changed]) => {
    const first = recurringDesk()
    const id = await first.profile()
    await first.gateway.close()
    const { store, clock } = first
    const acquirer = deciding({ execute: () => Promise.reject(new Error('never')) })
    const next = recurringDesk({ store, clock, acquirer, merchants: changed(endpointsWith({})) })
    await next.recovered()
    await clock.advance('31d')
    expect(next.heard).toEqual([])
    expect((await next.charges(id)).map(({ operations }) => operations[0]?.status)).toEqual(['approved', 'filtered'])
  })
})
