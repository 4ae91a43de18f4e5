import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Clock, createGateway, memoryStore, simulator, virtualClock } from '../src/index.ts'
import type { Store } from '../src/store-port.ts'
import { type PostgresDatabase, postgresDatabase } from './store/postgres-database.ts'
import { sqliteFile } from './store/sqlite-file.ts'
import { at, MONEY, shopKeys } from './support/desk.ts'
import { MONTHLY } from './support/recurring.ts'
import { BASE_URL, merchants, NOW } from './support/signed-requests.ts'
import { VAULT_KEYS } from './support/three-ds.ts'

const HOUR = 3_600_000
const TEN_YEARS = 87_660 * HOUR
const CALLBACK = 'https://shop.example.com/callback'

let database: PostgresDatabase
beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

const STORES: readonly (readonly [string, () => Promise<Store>])[] = [
  ['in memory', async () => memoryStore()],
  ['in SQLite', async () => sqliteFile().open().store],
  ['in PostgreSQL', async () => (await database.open()).store],
]

/** A gateway whose machine's clock can be set. Its timers run as they should. */
async function desk(open: () => Promise<Store>) {
  const store = await open()
  const right = virtualClock(NOW * 1000)
  let ahead = 0
  const clock: Clock = { now: () => right.now() + ahead, schedule: right.schedule }
  const told: string[] = []
  const calls: number[] = []
  let isShopUp = true
  const gateway = createGateway({
    publicUrl: BASE_URL,
    merchants: merchants({ shop: shopKeys.publicKey }),
    clock,
    store,
    vaultKeys: VAULT_KEYS,
    acquirer: simulator(),
    sendCallback: async () => {
      calls.push(clock.now())
      return { status: isShopUp ? 200 : 500 }
    },
    onError: (error) => void told.push((error as Error).message),
  })
  const made = at(gateway)
  return {
    ...made,
    gateway,
    store,
    told,
    calls,
    setAhead: (milliseconds: number) => {
      ahead = milliseconds
    },
    setShop: (isUp: boolean) => {
      isShopUp = isUp
    },
    /** Less than what counts as a jump. */
    pass: async (seconds: number) => {
      await right.advance(seconds * 1000)
      // The clock is read with each request: otherwise two such steps would be a jump.
      await made.told({ client_orderid: 'none' })
    },
  }
}

describe.each(STORES)('a gateway %s whose clock is wrong for a while', (_, open) => {
  test.for([
    ['an hour', HOUR],
    ['ten years', TEN_YEARS],
  ] as const)(
    '[F-A13] by %s, again and again, accepts what is signed at the right time, and no replay',
    async ([, wrong]) => {
      const { oauth, send, setAhead, told, gateway } = await desk(open)
      const payout = (number: number) =>
        oauth('/api/v2/payout', { client_orderid: `out-${number}`, ...MONEY, account_number: '1' })
      const seen = []
      for (let round = 0; round < 3; round++) {
        const before = payout(round)
        seen.push((await send(before))['http'])
        setAhead(wrong)
        const load = Array.from({ length: 20 }, (_each, number) => payout(100 * (round + 1) + number))
        seen.push(...new Set((await Promise.all(load.map(send))).map(({ http }) => http)))
        setAhead(0)
        seen.push((await send(before))['http'], (await send(payout(1000 + round)))['http'])
        setAhead(wrong)
        seen.push((await send(load[0] as typeof before))['http'])
        setAhead(0)
        await gateway.isReady()
      }
      expect((await send(payout(9999)))['http']).toBe('200')
      expect(seen).toEqual([...ROUND, ...ROUND, ...ROUND])
      const jumps = told.map((each) => /(\d+) s ahead|back by (\d+) s/.exec(each)?.[0])
      const pair = [`${wrong / 1000} s ahead`, `back by ${wrong / 1000} s`]
      expect(jumps).toEqual([...pair, ...pair, ...pair, ...pair, ...pair, ...pair])
      await gateway.close()
    },
  )

  test('[F-A13] releases no hold early, and sends callbacks at the right time once it is right again', async () => {
    const { preauth, sale, shown, setAhead, setShop, pass, calls, gateway } = await desk(open)
    const ids = await preauth({ server_callback_url: CALLBACK })
    setAhead(TEN_YEARS)
    await pass(10)
    expect((await shown(ids))[1]).toBe('preauth')
    setShop(false)
    await sale({ server_callback_url: CALLBACK })
    setAhead(0)
    setShop(true)
    await gateway.isReady()
    const before = calls.length
    await pass(59)
    await pass(59)
    expect(calls.length).toBe(before + 1)
    expect((await shown(ids))[1]).toBe('preauth')
    await gateway.close()
  })

  test('looks at once for what is due by then when something is planned for later', async () => {
    const { preauth, sale, setAhead, setShop, calls, gateway } = await desk(open)
    setShop(false)
    await sale({ server_callback_url: CALLBACK })
    setShop(true)
    setAhead(10_000)
    await preauth()
    await gateway.settled()
    expect(calls).toEqual([NOW * 1000, NOW * 1000 + 10_000])
    await gateway.close()
  })

  test.for([
    ['three days', 72 * HOUR],
    ['a month', 720 * HOUR],
    ['ten years', TEN_YEARS],
  ] as const)('[F-A13] by %s, ends what was begun meanwhile when it should', async ([, wrong]) => {
    const { preauth, payoutCheck, setAhead, pass, store, gateway } = await desk(open)
    const before = await preauth()
    setAhead(wrong)
    const orders = [before, await preauth({ expire_year: '2049' }), await payoutCheck()]
    await pass(59)
    setAhead(0)
    await gateway.isReady()
    for (let minutes = 0; minutes < 2; minutes++) await pass(59)
    const waits = orders.map(async ({ orderid }) => {
      const [{ kind, dueAt } = { kind: 'none', dueAt: 0 }] = await store.tasksOf(orderid)
      return [kind, Math.round((dueAt / 1000 - NOW) / 360) / 10]
    })
    expect(await Promise.all(waits)).toEqual([
      ['release', 168],
      ['release', 168],
      ['expire-check', 0.3],
    ])
    await gateway.close()
  })

  test('[F-A13] charges what was subscribed at a wrong time from the day on that it was', async () => {
    const { askOAuth, setAhead, pass, store, gateway } = await desk(open)
    const create = (id: string) =>
      askOAuth('/api/v4/create-recurring-payment', { ...MONTHLY, 'expire-year': '2049', 'client-orderid': id })
    setAhead(TEN_YEARS)
    const { 'recurring-payment-id': id = '' } = await create('subscribed')
    setAhead(0)
    await gateway.isReady()
    await pass(59)
    expect((await store.recurringPaymentById(id))?.nextCharge).toMatchObject({ number: 2 })
    expect(await store.findOrder({ login: 'shop', clientOrderId: `${id}-1` })).toBeDefined()
    await gateway.close()
  })

  test('[F-A13] charges within minutes what had no room while it was wrong', async () => {
    const { askOAuth, setAhead, pass, store, gateway } = await desk(open)
    const fields = { ...MONTHLY, 'expire-year': '2049', 'client-orderid': 'first' }
    const { 'recurring-payment-id': id = '' } = await askOAuth('/api/v4/create-recurring-payment', fields)
    const payment = await store.recurringPaymentById(id)
    if (payment === undefined) throw new Error('There is no recurring payment')
    const date = new Date(NOW * 1000).toISOString().slice(0, 10)
    for (let each = 0; each < MANY; each++) {
      const recurringPaymentId = `9-${each}`
      const charge = { number: 1, date }
      const other = { ...payment, version: 1, recurringPaymentId, clientOrderId: recurringPaymentId }
      const due = {
        id: `charge-${each}`,
        kind: 'charge',
        recurringPaymentId,
        dueAt: NOW * 1000,
        tried: 0,
      } as const
      await store.commit(
        {
          recurringPayment: { ...other, requestFields: undefined, nextCharge: charge },
          tasks: [{ ...due, ...charge }],
        },
        NOW * 1000,
      )
    }
    setAhead(TEN_YEARS)
    await pass(59)
    setAhead(0)
    for (let minutes = 0; minutes < 3; minutes++) await pass(59)
    const charged = (await store.recentOrders('shop', 2 * MANY)).filter(({ clientOrderId }) =>
      clientOrderId.startsWith('9-'),
    )
    expect(charged).toHaveLength(MANY)
    await gateway.close()
  })
})

/** More than half of what is taken in hand at once. */
const MANY = 200

/** Before, while it is wrong, a replay, a fresh one, and a replay of one that was signed at the wrong time. */
const ROUND = ['200', '200', '403', '200', '403']
