import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Acquirer, newVaultKeys, readVaultKeys, virtualClock } from '../../src/index.ts'
import { postingsOf } from '../../src/ledger/ledger.ts'
import { pooledRandomness } from '../../src/runtime/system.ts'
import type { Store } from '../../src/store/store.ts'
import { APPROVED, listening, undecided } from '../support/acquirers.ts'
import { desk, MONEY } from '../support/desk.ts'
import { failingConnections } from '../support/failing-connections.ts'
import { type QuickTime, quickTime } from '../support/quick-time.ts'
import { fieldsOf, NOW, sale, status } from '../support/signed-requests.ts'
import { delivery, opening, operation, order, task } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

const vaultKeys = readVaultKeys(newVaultKeys(pooledRandomness(), 'first').reveal())

let database: PostgresDatabase
let schema: string
let time: QuickTime
let store: Store

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  schema = database.newSchema()
  time = quickTime()
  store = await database.node(schema)
})

/** Another gateway on the same tables, whose repeated work is done when the test says so. */
async function another(options: Parameters<typeof desk>[0] = {}) {
  return desk({ store: await database.node(schema, { time }), vaultKeys, ...options })
}

/** Does renewals alone until the count is reached: taking over does not wait for the next sweep. */
async function renewsUntil(count: () => number, wanted: number): Promise<void> {
  const renewed = () => {
    time.tick(1_500)
    return count()
  }
  await expect.poll(renewed).toBe(wanted)
}

const dies = () =>
  database.ask(`UPDATE ${schema}.nodes SET alive_until = clock_timestamp() - interval '1 s'
    WHERE node_id IN (SELECT sent_by FROM ${schema}.operations)`)

/** The statuses of the operations of this amount. */
async function statuses(amount: bigint): Promise<readonly unknown[]> {
  const rows = await database.ask(`SELECT status FROM ${schema}.operations WHERE amount = ${amount}`)
  return rows.map(({ status }) => status)
}

/** The simulator, except that the test decides captures of this amount. */
function slowCaptures(amount: bigint) {
  const bank = undecided()
  const inner = listening().acquirer
  const execute: Acquirer['execute'] = (instruction) =>
    instruction.kind === 'capture' && instruction.amount === amount ? bank.execute() : inner.execute(instruction)
  return { bank, ...listening({ execute }) }
}

describe('two gateways on one PostgreSQL', () => {
  test('one does not look up what the other is waiting for, and does when the other is gone', async () => {
    const bank = undecided()
    const first = desk({ store, vaultKeys, acquirer: listening({ execute: bank.execute }).acquirer })
    const { 'paynet-order-id': orderid = '' } = fieldsOf(await first.gateway.handle(sale()))
    const { acquirer, executed, lookedUp } = listening()
    const second = await another({ acquirer })
    await second.gateway.isReady()
    time.tick()
    await second.gateway.settled()
    expect(lookedUp).toEqual([])
    await dies()
    await renewsUntil(() => lookedUp.length, 1)
    await second.gateway.settled()
    expect(executed).toEqual([])
    expect(fieldsOf(await second.gateway.handle(status({ client_orderid: 'inv-1', orderid })))['status']).toBe(
      'approved',
    )
    bank.decide(APPROVED)
    await first.gateway.settled()
    expect(first.heard).toEqual([])
  })

  test('one that changes an order leaves an operation that the other is sending to the other', async () => {
    const { bank, acquirer } = slowCaptures(2_000n)
    const first = desk({ store, vaultKeys, acquirer })
    const ids = await first.preauth(MONEY)
    await first.capture(ids, { amount: '10.00', currency: 'EUR' })
    await first.gateway.handle(first.request('/api/v2/capture', { ...ids, amount: '20.00', currency: 'EUR' }))
    const second = desk({ store: await database.node(schema), vaultKeys })
    await second.return(ids, { amount: '5.00', currency: 'EUR' })
    await database.ask(`DELETE FROM ${schema}.nodes WHERE node_id = (SELECT max(node_id) FROM ${schema}.nodes)`)
    const { acquirer: asked, lookedUp } = listening()
    const third = await another({ acquirer: asked })
    await third.recovered()
    expect(lookedUp).toEqual([])
    bank.decide(APPROVED)
    await first.gateway.settled()
    expect(await statuses(2_000n)).toEqual(['approved'])
  })

  test('one that cannot tell whether it wrote something looks up nothing that it is sending', async () => {
    const { bank, acquirer, lookedUp } = slowCaptures(2_000n)
    const network = failingConnections()
    const doubting = await database.node(schema, { time, connect: () => network.around(database.connections()) })
    const { preauth, capture, request, gateway } = desk({ store: doubting, vaultKeys, acquirer })
    const ids = await preauth(MONEY)
    await capture(ids, { amount: '10.00', currency: 'EUR' })
    await gateway.handle(request('/api/v2/capture', { ...ids, amount: '20.00', currency: 'EUR' }))
    let isLost = false
    network.fail(({ text }) => {
      if (isLost) return 'lost before'
      isLost = text === 'COMMIT'
      return isLost ? 'lost before' : undefined
    })
    const answer = await gateway.handle(request('/api/v2/return', { ...ids, amount: '5.00', currency: 'EUR' }))
    network.fail()
    expect(answer.status).toBe(500)
    await doubting.commit({}, NOW)
    time.tick()
    // This commit comes after what the tick began.
    await doubting.commit({}, NOW)
    await gateway.handle(status(ids))
    expect(lookedUp).toEqual([])
    bank.decide(APPROVED)
    await gateway.settled()
    expect(await statuses(2_000n)).toEqual(['approved'])
  })

  test('one that took an operation over and could not read it looks it up later', async () => {
    await store.commit(opening(order(1)), NOW)
    const network = failingConnections()
    const { acquirer, lookedUp } = listening()
    const taker = await database.node(schema, { time, connect: () => network.around(database.connections()) })
    const { recovered, gateway, heard } = desk({ store: taker, vaultKeys, acquirer })
    await recovered()
    await dies()
    let isTaken = false
    network.fail(({ text }) => {
      if (isTaken) return 'lost before'
      isTaken = text.includes('left_over')
      return undefined
    })
    time.tick()
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    await gateway.settled()
    network.fail()
    expect(lookedUp).toEqual([])
    time.tick()
    await expect.poll(() => lookedUp.length).toBe(1)
    await gateway.settled()
  })

  test('[S6-03] one does not conclude that an operation was never carried out while the other may be about to send it', async () => {
    const bank = undecided()
    const first = desk({ store, vaultKeys, acquirer: listening({ execute: bank.execute }).acquirer })
    const { 'paynet-order-id': orderid = '' } = fieldsOf(await first.gateway.handle(sale()))
    await dies()
    const second = await another({ acquirer: listening({ lookup: async () => undefined }).acquirer })
    await second.recovered()
    const ids = { client_orderid: 'inv-1', orderid }
    expect((await second.shown(ids))[0]).toBe('unknown')
    bank.decide(APPROVED)
    await first.gateway.settled()
    expect((await second.shown(ids))[0]).toBe('approved')
    expect(first.heard).toEqual([])
  })

  test('[S6-03] what neither carried out ends as an error, and an approval after that is reported', async () => {
    const bank = undecided()
    const first = desk({ store, vaultKeys, acquirer: listening({ execute: bank.execute }).acquirer })
    const { 'paynet-order-id': orderid = '' } = fieldsOf(await first.gateway.handle(sale()))
    await dies()
    const second = await another({ acquirer: listening({ lookup: async () => undefined }).acquirer })
    await second.recovered()
    const ids = { client_orderid: 'inv-1', orderid }
    await second.clock.advance('14m')
    expect((await second.shown(ids))[0]).toBe('unknown')
    await second.clock.advance('7m')
    expect((await second.shown(ids))[0]).toBe('error')
    bank.decide(APPROVED)
    await first.gateway.settled()
    expect(first.heard.map(([error]) => String(error))).toEqual([expect.stringContaining('has ended as error')])
  })

  test('one that was cut off sends nothing more', async () => {
    const { acquirer, executed } = listening()
    const cutOff = await another({ acquirer })
    await cutOff.gateway.isReady()
    time.goOn(60_000)
    await cutOff.gateway.handle(sale())
    await cutOff.gateway.settled()
    expect(executed).toEqual([])
    expect(String(cutOff.heard[0]?.[0])).toContain('was not sent')
  })

  test('one answers for an order that the other has begun', async () => {
    const first = desk({ store, vaultKeys })
    const second = await another()
    const { 'paynet-order-id': orderid = '' } = fieldsOf(await first.gateway.handle(sale()))
    expect(fieldsOf(await second.gateway.handle(sale()))['paynet-order-id']).toBe(orderid)
    await first.gateway.settled()
    expect(fieldsOf(await second.gateway.handle(status({ client_orderid: 'inv-1', orderid })))['status']).toBe(
      'approved',
    )
  })

  test('what one made due and could not do, the other does', async () => {
    const second = await another()
    await second.gateway.isReady()
    await second.gateway.settled()
    const at = NOW * 1000
    const over = order(1, {
      operations: [operation({ kind: 'preauth', amount: 0n, status: 'approved', statusAt: at - 7 * 86_400_000 })],
    })
    const due = { deliveries: [delivery(over, { dueAt: at, createdAt: at })], tasks: [task(over, { dueAt: at })] }
    await store.commit({ ...opening(over), ...due }, at)
    expect(second.calls).toEqual([])
    time.tick()
    // What is behind it is written as it is sent.
    await expect.poll(() => second.calls.map((url) => url.split('&')[0])).toEqual([delivery(over).url])
    await second.gateway.settled()
    expect(await store.nextDueAt()).toBeUndefined()
  })
})

/** Ends the leases of all nodes. */
const allDie = () => database.ask(`UPDATE ${schema}.nodes SET alive_until = clock_timestamp() - interval '1 s'`)

describe('a gateway that dies', () => {
  test("leaves the callback that it had claimed to the others, who need not wait until the claim's minute is over", async () => {
    const call = Promise.withResolvers<{ status: number }>()
    const first = desk({ store, vaultKeys, sendCallback: () => call.promise })
    const second = await another()
    await second.recovered()
    const callback = { server_callback_url: 'https://shop.example.com/callback' }
    await first.gateway.handle(sale(callback))
    const inHand = () => database.ask(`SELECT 1 FROM ${schema}.deliveries WHERE claimed_by IS NOT NULL`)
    await expect.poll(inHand).toHaveLength(1)
    time.tick()
    await second.gateway.settled()
    expect(second.calls).toEqual([])
    await allDie()
    await renewsUntil(() => second.calls.length, 1)
    await second.gateway.settled()
    call.resolve({ status: 200 })
    await first.gateway.settled()
  })

  test('leaves the task that it had claimed to the others, who do it once', async () => {
    const at = NOW * 1000
    const held = order(1, {
      operations: [operation({ kind: 'preauth', amount: 100n, status: 'approved', statusAt: at - 604_800_000 })],
    })
    const { orderId, terms } = held
    const postings = postingsOf({
      orderId,
      operationId: '1',
      kind: 'preauth',
      amount: 100n,
      ...terms,
      at,
      fromDeposit: false,
    })
    await store.commit({ ...opening(held), postings, tasks: [task(held, { dueAt: at })] }, at)
    // This store claimed the release of the expired hold and did nothing about it.
    expect(await store.claimTasks({ now: at, until: at + 60_000, limit: 9 })).toHaveLength(1)
    const { acquirer, executed } = listening()
    const nodes = [await another({ acquirer }), await another({ acquirer })]
    await Promise.all(nodes.map((node) => node.recovered()))
    expect(executed).toEqual([])
    await database.ask(`DELETE FROM ${schema}.nodes WHERE node_id = (SELECT min(node_id) FROM ${schema}.nodes)`)
    await renewsUntil(() => executed.length, 1)
    expect(executed.map(({ kind }) => kind)).toEqual(['cancel'])
    await Promise.all(nodes.map((node) => node.gateway.settled()))
  })
})

test('one that lapses under load goes on as another node; nothing is sent twice, and everything has an outcome', async () => {
  const executed = new Map<string, number>()
  const inner = listening().acquirer
  const acquirer: Acquirer = {
    ...inner,
    execute: async (instruction) => {
      executed.set(instruction.reference, (executed.get(instruction.reference) ?? 0) + 1)
      return await inner.execute(instruction)
    },
    // Both gateways have the same bank.
    lookup: async (instruction) => (executed.has(instruction.reference) ? APPROVED : undefined),
  }
  const first = await another({ acquirer })
  const second = await another({ acquirer })
  await Promise.all([first.recovered(), second.recovered()])
  const nodesBefore = (await database.ask(`SELECT node_id FROM ${schema}.nodes`)).length
  const statuses = new Set<number>()
  for (let round = 0; round < 3; round++) {
    const answers = Array.from({ length: 40 }, async (_, at) => {
      const { gateway } = at % 2 === 0 ? first : second
      statuses.add((await gateway.handle(sale({ client_orderid: `load-${round}-${at}` }))).status)
    })
    await allDie()
    time.tick()
    await Promise.all(answers)
  }
  expect(statuses).toEqual(new Set([200]))
  time.tick()
  const isAlive = `SELECT 1 FROM ${schema}.nodes WHERE alive_until > clock_timestamp()`
  await expect.poll(async () => (await database.ask(isAlive)).length).toBeGreaterThanOrEqual(2)
  for (let look = 0; look < 3; look++) {
    time.tick()
    await Promise.all([first.gateway.settled(), second.gateway.settled()])
  }
  expect((await database.ask(`SELECT node_id FROM ${schema}.nodes`)).length).toBeGreaterThan(nodesBefore)
  expect([...executed.values()].filter((times) => times !== 1)).toEqual([])
  const open = `SELECT status FROM ${schema}.operations WHERE status NOT IN ('approved', 'unknown')`
  await expect.poll(() => database.ask(open)).toEqual([])
})

test('one with another key file is not ready, and says which key is wrong', async () => {
  const first = desk({ store, vaultKeys })
  await first.recovered()
  const others = readVaultKeys(newVaultKeys(pooledRandomness(), 'first').reveal())
  const second = await another({ vaultKeys: others })
  expect(await second.gateway.isReady()).toBe(false)
  expect((await second.gateway.handle(sale())).status).toBe(500)
  expect(second.heard[0]?.[0]).toMatchObject({ code: 'KEYS', message: expect.stringContaining('The vault key ') })
  expect(await first.gateway.isReady()).toBe(true)
  expect((await first.gateway.handle(sale())).status).toBe(200)
  await first.gateway.settled()
})

test('[G13-17] a clock that has fractions is kept in whole milliseconds', async () => {
  const { preauth, shown, clock, heard } = desk({ store, vaultKeys, clock: virtualClock(NOW * 1000 + 0.5) })
  const ids = await preauth()
  await clock.advance('7d')
  expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '0.00', '10.42'])
  expect(heard).toEqual([])
})

test('[F-D12] any gateway on the database shows the orders and callbacks of all', async () => {
  const one = desk({ store, vaultKeys, sendCallback: async () => ({ status: 410 }) })
  const other = await another()
  // Its first look for what is due would claim the callback, and send it to a shop that takes it.
  await other.recovered()
  const { orderid } = await one.sale({ server_callback_url: 'https://shop.example.com/cb' })
  await one.gateway.settled()
  expect((await other.gateway.inspect.orders({ status: 'approved' })).items).toMatchObject([{ orderId: orderid }])
  expect(await other.gateway.inspect.order(orderid)).toMatchObject({ callbacks: [{ state: 'refused' }] })
  expect((await other.gateway.inspect.givenUpCallbacks()).items).toMatchObject([{ orderId: orderid }])
  // What PostgreSQL cannot store, no order has.
  expect((await other.gateway.inspect.orders({ login: 'shop\0', clientOrderId: '\uD800' })).items).toEqual([])
})
