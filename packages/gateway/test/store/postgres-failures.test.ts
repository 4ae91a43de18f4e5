import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { type FailingConnections, failingConnections } from '../support/failing-connections.ts'
import { quickTime } from '../support/quick-time.ts'
import { NOW, nonce, opening, operation, order } from './changes.ts'
import { BEFORE, commit, WRITES, type Write } from './every-write.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase
let network: FailingConnections
let store: Store

let schema: string

/** Without a cache, so that orders that a test deletes in the database are gone. */
beforeAll(async () => {
  database = await postgresDatabase()
  network = failingConnections()
  schema = database.newSchema()
  const connect = () => network.around(database.connections())
  store = await database.node(schema, { connect, cachedOrders: 0 })
})
afterAll(() => database.close())

async function fresh(): Promise<void> {
  network.fail()
  await database.empty(schema)
  for (const change of BEFORE) await store.commit(change, NOW)
}

const seen = () => {
  network.fail()
  return database.rowsOf(schema)
}

/** What is stored before and after the writes, and how many statements lie between. */
async function views(writes: readonly Write[]) {
  await fresh()
  const before = await seen()
  network.fail()
  await Promise.all(writes.map((each) => each(store)))
  const statements = network.sent()
  return { before, after: await seen(), statements }
}

const [first, last] = [8, 9].map((digits) => commit({ ...opening(order(digits)), nonce: nonce(`${digits}`) }))

describe.for(Object.entries(WRITES))('with any statement failing, %s', ([name, write]) => {
  const batch = [first, write, last].filter((each) => each !== undefined)
  /** A claim whose answer is lost is not repeated: what it claimed is due again when the claim ends. */
  const isClaim = name.startsWith('a claim')

  test('among others: an answer that is lost harms nobody', async () => {
    const { after, statements } = await views(batch)
    for (let n = 1; n <= statements; n++) {
      await fresh()
      network.fail(({ number }) => (number === n ? 'lost after' : undefined))
      const answers = await Promise.all(batch.map((each) => each(store)))
      if (!isClaim) expect(answers.filter((answer) => !isDone(answer))).toEqual([])
      expect(await seen()).toEqual(after)
    }
  })

  test('among others: a temporary refusal harms nobody else', async () => {
    const { after, statements } = await views(batch)
    for (let n = 1; n <= statements; n++) {
      await fresh()
      network.fail(({ number }) => (number === n ? 'refused' : undefined))
      const results = await Promise.allSettled(batch.map((each) => each(store)))
      const isRefused = results.filter(({ status }) => status === 'rejected').length
      // What is not written in one batch with the others is tried only once.
      if (isRefused > 0) await write(store)
      expect(isRefused).toBeLessThan(2)
      expect(await seen()).toEqual(after)
    }
  })

  test('among others: a server that is gone leaves nothing in part', async () => {
    const { before, statements } = await views(batch)
    for (let n = 1; n <= statements; n++) {
      await fresh()
      network.fail(({ number }) => (number >= n ? 'lost before' : undefined))
      const results = await Promise.allSettled(batch.map((each) => each(store)))
      // How many statements there are depends on what is batched together.
      expect(results.some(({ status }) => status === 'rejected')).toBe(network.sent() >= n)
      if (results.every(({ status }) => status === 'rejected')) expect(await seen()).toEqual(before)
    }
  })
})

/** Whether a write is done. A rewrapping that finds its work done says `false`, and its job looks at what is stored. */
function isDone(answer: unknown): boolean {
  return (
    answer === true ||
    answer === false ||
    (typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === true)
  )
}

describe('a commit whose answer is lost', () => {
  const opened = opening(order(3))
  const seemsLost = (text: string) => text === 'COMMIT'

  function isLostOnce() {
    let isFirst = true
    return ({ text }: { readonly text: string }) => {
      if (!seemsLost(text) || !isFirst) return undefined
      isFirst = false
      return 'lost before' as const
    }
  }

  test('is acknowledged if it was made, and nothing is written twice', async () => {
    await fresh()
    network.fail(({ text }) => (seemsLost(text) ? 'lost after' : undefined))
    expect(await store.commit(opened, NOW)).toEqual({ ok: true })
    network.fail()
    expect(await store.orderById(order(3).orderId)).toEqual(order(3))
  })

  test('is made again if it was not made', async () => {
    await fresh()
    network.fail(isLostOnce())
    expect(await store.commit(opened, NOW)).toEqual({ ok: true })
    network.fail()
    expect(await store.orderById(order(3).orderId)).toEqual(order(3))
  })

  test('is made again if it was not made, however much another node has committed', async () => {
    const shared = database.newSchema()
    const own = failingConnections()
    const unlucky = await database.node(shared, { connect: () => own.around(database.connections()) })
    const other = await database.node(shared)
    for (const digits of [1, 2, 4]) await other.commit(opening(order(digits)), NOW)
    own.fail(isLostOnce())
    expect(await unlucky.commit(opened, NOW)).toEqual({ ok: true })
    expect(await other.orderById(order(3).orderId)).toEqual(order(3))
  })

  test('is a failure while nobody can tell whether it was made, and what it had sent is looked up afterwards', async () => {
    const mine = database.newSchema()
    const cut = failingConnections()
    const alone = await database.node(mine, { connect: () => cut.around(database.connections()) })
    await alone.commit(opening(order(1)), NOW)
    let isLost = false
    cut.fail(({ text }) => {
      if (isLost) return 'lost before'
      isLost = seemsLost(text)
      return isLost ? 'lost after' : undefined
    })
    await expect(alone.commit(opening(order(3, { operations: [operation({ id: '3' })] })), NOW)).rejects.toMatchObject({
      code: 'UNREACHABLE',
    })
    cut.fail()
    const left = { orderId: order(3).orderId, operationId: '3' }
    expect(await alone.cluster?.takeAbandonedOperations(9, (operationId) => operationId === '1')).toEqual([left])
    expect(await alone.cluster?.takeAbandonedOperations(9, () => true)).toEqual([])
  })
})

test('one change that always fails does not make its neighbours fail', async () => {
  await fresh()
  const bad = opening(order(4, { operations: [{ ...order(4).operations[0], amount: 2n ** 70n } as never] }))
  const results = await Promise.allSettled(
    [opening(order(3)), bad, opening(order(5))].map((each) => store.commit(each, NOW)),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a store is not ready while the server is gone, and is ready again afterwards', async () => {
  network.fail(() => 'lost before')
  expect(await store.isReady()).toBe(false)
  network.fail()
  expect(await store.isReady()).toBe(true)
})

test('a server that is read-only for a while, as at a fail-over, is given up and found again', async () => {
  const time = quickTime()
  const errors: unknown[] = []
  const node = await database.node(database.newSchema(), { time, onError: (error) => errors.push(error) })
  await node.commit(opening(order(1)), NOW)
  const newSessions = (setting: string) =>
    database.ask(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${setting}', current_database()); END $$`)
  await newSessions('SET default_transaction_read_only = on')
  await database.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  await expect(node.commit(opening(order(2)), NOW)).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect(await node.isReady()).toBe(false)
  const renewed = () => {
    time.tick()
    return errors.map(String).join()
  }
  await expect.poll(renewed, { interval: 5 }).toContain('read-only transaction')
  await newSessions('RESET default_transaction_read_only')
  expect(await node.commit(opening(order(2)), NOW)).toEqual({ ok: true })
  expect(await node.isReady()).toBe(true)
  const isAlive = () => {
    time.tick()
    return node.cluster?.isAlive()
  }
  await expect.poll(isAlive, { interval: 5 }).toBe(true)
})
