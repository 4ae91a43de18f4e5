import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connections } from '../../src/store/postgres/connections.ts'
import { locksOf } from '../../src/store/postgres/locks.ts'
import type { Store } from '../../src/store/store.ts'
import { failingConnections } from '../support/failing-connections.ts'
import { type QuickTime, quickTime } from '../support/quick-time.ts'
import { card, delivery, later, NOW, nonce, opening, operation, order, recurring, task, updating } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase
let schema: string
let time: QuickTime
let one: Store
let other: Store

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  schema = database.newSchema()
  time = quickTime()
  // Both start at once: one creates the tables, and the other waits for it.
  const opened = await Promise.all([database.node(schema, { time }), database.node(schema, { time })])
  one = opened[0]
  other = opened[1]
})

const ids = Array.from({ length: 20 }, (_, digits) => digits)

/** How many of the commits were written, and how many had each conflict. */
async function outcomes(committed: readonly ReturnType<Store['commit']>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const answer of await Promise.all(committed)) {
    const name = answer.ok ? 'written' : answer.conflict
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

describe('two nodes', () => {
  test('see what the other has written, and nothing older', async () => {
    await one.commit(opening(order(1)), NOW)
    expect(await other.orderById(order(1).orderId)).toEqual(order(1))
    expect(await other.commit(updating(order(1), {}), NOW)).toEqual({ ok: true })
    expect((await one.orderById(order(1).orderId))?.version).toBe(2)
  })

  test('go on from the version in the database, whatever either has cached', async () => {
    await one.commit(opening(order(1)), NOW)
    await other.commit(updating(order(1), {}), NOW)
    const second = later(order(1), {})
    expect(await one.commit(updating(order(1), {}), NOW)).toEqual({ ok: false, conflict: 'order' })
    expect(await one.commit(updating(second, {}), NOW)).toEqual({ ok: true })
    expect(await other.commit(updating(second, {}), NOW)).toEqual({ ok: false, conflict: 'order' })
  })

  test('[G13-10] open only one order with one client order id', async () => {
    const opened = ids.flatMap((digits) => [
      one.commit(opening(order(digits, { clientOrderId: `invoice-${digits}` })), NOW),
      other.commit(opening(order(100 + digits, { clientOrderId: `invoice-${digits}` })), NOW),
    ])
    expect(await outcomes(opened)).toEqual({ written: 20, 'client-order-id': 20 })
  })

  test('[G5-07] decide on one version of an order once, so that they cannot overdraw it together', async () => {
    const preauth = operation({ kind: 'preauth', amount: 100n, status: 'approved' })
    const held = ids.map((digits) => order(digits, { operations: [preauth] }))
    await Promise.all(held.map((each) => one.commit(opening(each), NOW)))
    const capture = operation({ id: '2', kind: 'capture', amount: 100n })
    const captures = held.flatMap((each) =>
      [one, other].map((node) => node.commit(updating(each, { operations: [preauth, capture] }), NOW)),
    )
    expect(await outcomes(captures)).toEqual({ written: 20, order: 20 })
  })

  test('[G13-04] consume a nonce once', async () => {
    const consumed = ids.flatMap((digits) =>
      [one, other].map((node) => node.commit({ nonce: nonce(`n${digits}`) }, NOW)),
    )
    expect(await outcomes(consumed)).toEqual({ written: 20, nonce: 20 })
  })

  test('[G13-04] refuse a used nonce at whichever node, and nothing else, after the clock of one was ahead', async () => {
    await one.commit({ nonce: nonce('a') }, NOW)
    for (const ahead of [3_600_000, 315_576_000_000]) {
      const late = NOW + ahead
      expect(await one.commit({ nonce: nonce('b', late / 1000) }, late)).toEqual({ ok: true })
      time.tick()
      for (const [digit, node] of [other, one].entries()) {
        expect(await node.commit({ nonce: nonce('a') }, NOW)).toEqual({ ok: false, conflict: 'nonce' })
        expect(await node.commit({ nonce: nonce(`c${ahead}-${digit}`) }, NOW)).toEqual({ ok: true })
      }
    }
  })

  test('[G13-04] forget old nonces beyond those that are spared, and refuse their seconds from then on', async () => {
    const [late, hour] = [NOW + 4_000_000, 3_600_000]
    const node = await database.node(schema, { time, spareNonces: 2 })
    await node.commit({ nonce: nonce('a') }, NOW)
    await node.commit({ nonce: nonce('b', (late - hour) / 1000) }, late - hour)
    for (const name of ['c', 'd']) await node.commit({ nonce: nonce(name, late / 1000) }, late)
    time.tick()
    await expect
      .poll(() => database.ask(`SELECT convert_from(nonce, 'UTF8') AS nonce FROM ${schema}.nonces ORDER BY 1`))
      .toEqual([{ nonce: 'b' }, { nonce: 'c' }, { nonce: 'd' }])
    for (const each of [other, node]) {
      expect(await each.commit({ nonce: nonce('a') }, NOW)).toEqual({ ok: false, conflict: 'nonce' })
      expect(await each.commit({ nonce: nonce('b', (late - hour) / 1000) }, late - hour)).toMatchObject({ ok: false })
    }
    expect(await node.commit({ nonce: nonce('fresh', NOW / 1000 + 1) }, NOW)).toEqual({ ok: true })
  })

  test('make only one recurring payment with one client order id', async () => {
    await one.commit({ cards: [card('card-1')] }, NOW)
    const made = ids.flatMap((digits) => [
      one.commit({ recurringPayment: recurring(`r${digits}`, { recurringPaymentId: `1-${digits}` }) }, NOW),
      other.commit({ recurringPayment: recurring(`r${digits}`, { recurringPaymentId: `2-${digits}` }) }, NOW),
    ])
    expect(await outcomes(made)).toEqual({ written: 20, 'recurring-payment': 20 })
  })

  test('claim what is due once', async () => {
    const deliveries = ids.map((digits) => delivery(order(1), { id: `d${digits}` }))
    const tasks = ids.map((digits) => task(order(1), { id: `t${digits}` }))
    await one.commit({ ...opening(order(1)), deliveries, tasks }, NOW)
    const claim = { now: NOW, until: NOW + 60_000, limit: 7 }
    const claims = await Promise.all(ids.map((at) => (at % 2 === 0 ? one : other).claimDeliveries(claim)))
    expect(
      claims
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(deliveries.map(({ id }) => id).sort())
    const others = await Promise.all(ids.map((at) => (at % 2 === 0 ? one : other).claimTasks(claim)))
    expect(
      others
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(tasks.map(({ id }) => id).sort())
  })

  test('forget everything together', async () => {
    await one.commit({ ...opening(order(1)), nonce: nonce('a') }, NOW)
    await other.orderById(order(1).orderId)
    await other.reset()
    expect(await one.commit(updating(order(1), {}), NOW)).toEqual({ ok: false, conflict: 'order' })
    expect(await one.commit({ ...opening(order(1)), nonce: nonce('a') }, NOW)).toEqual({ ok: true })
  })
})

/** What a node takes over while these operations are under way in its own process. */
async function takeLeft({ cluster }: Store, underWay: readonly string[] = []) {
  return (await cluster?.takeAbandonedOperations(9, (operationId) => underWay.includes(operationId))) ?? []
}

describe('what a node has sent', () => {
  const sent = { orderId: order(1).orderId, operationId: '1' }
  const dies = () =>
    database.ask(`UPDATE ${schema}.nodes SET alive_until = clock_timestamp() - interval '1 s' WHERE node_id =
    (SELECT sent_by FROM ${schema}.operations LIMIT 1)`)

  beforeEach(async () => {
    await one.commit(opening(order(1)), NOW)
  })

  test('is left alone while that node is alive, and taken over by one other when it is gone', async () => {
    expect(await takeLeft(other)).toEqual([])
    expect(await takeLeft(one, ['1'])).toEqual([])
    await dies()
    const third = await database.node(schema, { time })
    const taken = await Promise.all([other, third].map((node) => takeLeft(node)))
    expect(taken.flat()).toEqual([sent])
    const again = await Promise.all([other, third].map((node) => takeLeft(node, ['1'])))
    expect(again.flat()).toEqual([])
  })

  test('is taken over at once when that node has closed its store', async () => {
    await one.close()
    expect(await takeLeft(other)).toEqual([sent])
  })

  test('is taken over alone: what a live node has sent stays its own, even in the same order', async () => {
    const third = await database.node(schema, { time })
    const more = operation({ id: '2', kind: 'chargeback', amount: 0n })
    await third.commit(updating(order(1), { operations: [operation(), more] }), NOW)
    await third.commit(opening(order(2)), NOW)
    await one.close()
    expect(await takeLeft(other)).toEqual([sent])
  })

  test('is taken over when that node was gone for so long that it has no row any more', async () => {
    await database.ask(`DELETE FROM ${schema}.nodes WHERE node_id = (SELECT sent_by FROM ${schema}.operations)`)
    expect(await takeLeft(other)).toEqual([sent])
  })

  test('stays its own when another node changes something else in the order', async () => {
    const read = (await other.orderById(order(1).orderId)) ?? order(1)
    await other.commit(updating(read, { details: { ...read.details, orderDesc: 'changed' } }), NOW)
    await other.close()
    expect(await takeLeft(await database.node(schema))).toEqual([])
    await one.close()
    expect(await takeLeft(await database.node(schema))).toEqual([sent])
  })

  test('is given again to the node that took it over but did not look it up, and to no other', async () => {
    const network = failingConnections()
    const taker = await database.node(schema, { connect: () => network.around(database.connections()) })
    await dies()
    let isLost = false
    network.fail(({ text }) => {
      if (isLost || !text.includes('left_over')) return undefined
      isLost = true
      return 'lost after'
    })
    expect(await takeLeft(taker)).toEqual([sent])
    expect(await takeLeft(taker)).toEqual([sent])
    expect(await takeLeft(other)).toEqual([])
  })

  test('and has an outcome is taken over by nobody', async () => {
    await one.commit(updating(order(1), { operations: [operation({ status: 'approved' })] }), NOW)
    await dies()
    expect(await takeLeft(other)).toEqual([])
  })
})

describe('a node that was cut off', () => {
  test('stops counting itself alive before the others stop counting on it', async () => {
    expect(one.cluster?.isAlive()).toBe(true)
    time.goOn(7_499)
    expect(one.cluster?.isAlive()).toBe(true)
    time.goOn(1)
    expect(one.cluster?.isAlive()).toBe(false)
  })

  test('stays alive as long as it renews its lease', async () => {
    for (let at = 0; at < 3; at++) {
      time.goOn(7_000)
      time.tick()
      await expect.poll(() => one.cluster?.isAlive()).toBe(true)
      await one.commit({}, NOW)
    }
  })

  test('goes on as another node: what it had sent before is looked up', async () => {
    await one.commit(opening(order(1)), NOW)
    await database.ask(`UPDATE ${schema}.nodes SET alive_until = clock_timestamp() - interval '1 s'`)
    time.goOn(60_000)
    expect(one.cluster?.isAlive()).toBe(false)
    time.tick()
    await expect.poll(() => one.cluster?.isAlive()).toBe(true)
    expect(await takeLeft(one)).toHaveLength(1)
    expect(await one.commit(updating(order(1), {}), NOW)).toEqual({ ok: true })
  })
})

test('a node that learns too late that its lease was renewed goes on as another', async () => {
  let gate: PromiseWithResolvers<void> | undefined
  let isAsked = false
  const late = (connections: Connections): Connections => ({
    ...connections,
    take: async () => {
      const connection = await connections.take()
      return {
        ...connection,
        query: async (statement) => {
          const answer = await connection.query(statement)
          if (statement.name === 'renew' && gate !== undefined) {
            isAsked = true
            await gate.promise
          }
          return answer
        },
      }
    },
  })
  const own = quickTime()
  const node = await database.node(schema, { time: own, connect: () => late(database.connections()) })
  const nodes = () => database.ask(`SELECT node_id FROM ${schema}.nodes`)
  const before = (await nodes()).length
  own.goOn(6_000)
  gate = Promise.withResolvers()
  own.tick()
  await expect.poll(() => isAsked).toBe(true)
  own.goOn(2_500)
  expect(node.cluster?.isAlive()).toBe(false)
  gate.resolve()
  await expect.poll(() => node.cluster?.isAlive()).toBe(true)
  expect(await nodes()).toHaveLength(before + 1)
})

describe('a node that stands still within a transaction', () => {
  test('holds up neither the deletion of nonces nor what others write', async () => {
    const sweeper = await database.node(schema, { time, spareNonces: 0 })
    await sweeper.commit({ nonce: nonce('a') }, NOW)
    await sweeper.commit({ nonce: nonce('b', NOW / 1000 + 4000) }, NOW + 4_000_000)
    const still = await database.connections().take()
    await still.query({ text: 'BEGIN' })
    await still.query(locksOf(schema).writing)
    // The node waits for its lock for half a second at a time. If this machine is busy for longer, it sees a later wait.
    const waiting = () => {
      time.tick()
      return database.ask(`SELECT 1 FROM pg_locks JOIN pg_database ON datname = current_database() AND oid = database
        WHERE locktype = 'advisory' AND NOT granted`)
    }
    await expect.poll(waiting, { interval: 10 }).toHaveLength(1)
    expect(await one.commit({ nonce: nonce('c', NOW / 1000 + 400) }, NOW + 400_000)).toEqual({ ok: true })
    const { rows } = await still.query({
      text: `SELECT current_setting('idle_in_transaction_session_timeout') AS idle,
        current_setting('statement_timeout') AS statement`,
    })
    expect(rows).toEqual([{ idle: '10s', statement: '20s' }])
    await still.query({ text: 'ROLLBACK' })
    still.release(true)
  })

  test.for(['writing', 'alone', 'migrating'] as const)(
    'has its session ended after 10 s where it holds %s',
    async (lock) => {
      const still = await database.connections().take()
      await still.query({ text: 'BEGIN' })
      await still.query(locksOf(schema)[lock])
      const { rows } = await still.query({
        text: `SELECT current_setting('idle_in_transaction_session_timeout') AS idle`,
      })
      expect(rows).toEqual([{ idle: '10s' }])
      await still.query({ text: 'ROLLBACK' })
      still.release(true)
    },
  )
})

describe('a node is woken', () => {
  /** Counts the wake-ups of a node until `stop`. */
  function wakings({ cluster }: Store) {
    let count = 0
    const stop = cluster?.onWake(() => {
      count += 1
    })
    return { count: () => count, stop: () => stop?.() }
  }
  const RENEWALS_MS = 1_500
  const SWEEPS_MS = 5_000

  test('every 5 s, until it asks for no more', () => {
    const woken = wakings(one)
    time.tick(SWEEPS_MS)
    expect(woken.count()).toBe(1)
    woken.stop()
    time.tick(SWEEPS_MS)
    expect(woken.count()).toBe(1)
  })

  test('by its renewal, once for each other node that has lapsed or left, and for no other reason', async () => {
    const network = failingConnections()
    let begun = 0
    network.fail(({ text }) => {
      if (text.includes('SET alive_until')) begun += 1
      return undefined
    })
    const node = await database.node(schema, { time, connect: () => network.around(database.connections()) })
    const woken = wakings(node)
    /** Waits for two renewals: the second begins only when the first has ended. */
    const renews = async () => {
      const before = begun
      const renewed = () => {
        time.tick(RENEWALS_MS)
        return begun - before
      }
      await expect.poll(renewed, { interval: 5 }).toBeGreaterThan(1)
    }
    await renews()
    expect(woken.count()).toBe(0)
    await other.close()
    await renews()
    expect(woken.count()).toBe(1)
    await database.ask(`UPDATE ${schema}.nodes SET alive_until = clock_timestamp() - interval '1 s'
      WHERE node_id = (SELECT min(node_id) FROM ${schema}.nodes)`)
    await renews()
    expect(woken.count()).toBe(2)
    await renews()
    expect(woken.count()).toBe(2)
  })
})
