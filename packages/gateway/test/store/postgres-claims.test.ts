import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { attempted, delivery, NOW, opening, order, task } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase
let schema: string
let one: Store
let other: Store

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  schema = database.newSchema()
  one = await database.node(schema)
  other = await database.node(schema)
  await one.commit({ ...opening(order(1)), deliveries: [delivery(order(1))], tasks: [task(order(1))] }, NOW)
})

const MINUTE = 60_000
const claimAt = (now: number) => ({ now, until: now + MINUTE, limit: 9 })

/** Has a node claim what is due: the ids of the deliveries and tasks. */
async function takes(node: Store, now = NOW): Promise<readonly string[]> {
  const claim = claimAt(now)
  const taken = [...(await node.claimDeliveries(claim)), ...(await node.claimTasks(claim))]
  return taken.map(({ id }) => id)
}

/** A delivery that a node claims as it writes it. */
const claimedByWriter = {
  ...opening(order(2)),
  deliveries: [delivery(order(2), { id: 'claimed', dueAt: NOW + MINUTE })],
  claimsDeliveries: true,
}

const BOTH = [delivery(order(1)).id, task(order(1)).id]

/** Ends the leases of all nodes that have claimed a delivery. */
const dies = () =>
  database.ask(`UPDATE ${schema}.nodes SET alive_until = clock_timestamp() - interval '1 s'
    WHERE node_id IN (SELECT claimed_by FROM ${schema}.deliveries)`)

describe('what a node has claimed', () => {
  test('is left alone while the node is alive, for a minute at most', async () => {
    expect(await takes(one)).toEqual(BOTH)
    expect(await takes(other, NOW + MINUTE - 1)).toEqual([])
    expect(await takes(other, NOW + MINUTE)).toEqual(BOTH)
  })

  test('is claimed by one other node as soon as the lease of the first is over', async () => {
    await takes(one)
    await dies()
    const third = await database.node(schema)
    const taken = await Promise.all([takes(other, NOW + 1), takes(third, NOW + 1)])
    expect(taken.flat().sort()).toEqual([...BOTH].sort())
    expect(await takes(third, NOW + 2)).toEqual([])
  })

  test('can be claimed by any node once the node has closed its store', async () => {
    await takes(one)
    await one.close()
    expect(await takes(other, NOW + 1)).toEqual(BOTH)
  })

  test('as it wrote it is left alone while the node is alive, and claimed by another once its lease is over', async () => {
    await takes(one)
    await one.commit(claimedByWriter, NOW)
    expect(await takes(other, NOW + MINUTE - 1)).toEqual([])
    await dies()
    expect((await takes(other, NOW + 1)).toSorted()).toEqual([...BOTH, 'claimed'].toSorted())
  })

  test('is not claimed from each other again and again by nodes that lapsed', async () => {
    await takes(one)
    await dies()
    await database.ask(`UPDATE ${schema}.nodes SET alive_until = clock_timestamp() - interval '1 s'`)
    expect(await takes(other, NOW + 1)).toEqual(BOTH)
    expect(await takes(one, NOW + 2)).toEqual([])
    expect(await takes(one, NOW + 1 + MINUTE)).toEqual(BOTH)
  })

  test('is no longer claimed once it is written as done, or with the time when it is due again', async () => {
    await takes(one)
    const later = NOW + 5 * MINUTE
    await one.commit(
      {
        attempts: [attempted(order(1), { made: 1, firstAt: NOW, dueAt: later }, NOW + MINUTE)],
        tasks: [task(order(1), { dueAt: later, tried: 1 })],
      },
      NOW,
    )
    await database.ask(`DELETE FROM ${schema}.nodes WHERE node_id = (SELECT min(node_id) FROM ${schema}.nodes)`)
    expect(await takes(other, later - 1)).toEqual([])
    expect(await takes(other, later)).toEqual(BOTH)
    await other.commit(
      {
        attempts: [
          attempted(order(1), { made: 2, firstAt: NOW, state: 'acknowledged', dueAt: undefined }, later + MINUTE),
        ],
        doneTasks: [task(order(1)).id],
      },
      later,
    )
    await other.close()
    expect(await takes(await database.node(schema), later + MINUTE)).toEqual([])
  })
})
