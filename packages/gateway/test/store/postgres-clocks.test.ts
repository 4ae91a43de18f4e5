import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leastSkew } from '../../src/store/postgres/clocks.ts'
import { quickTime } from '../support/quick-time.ts'
import { delivery, NOW, nonce, opening, operation, order, task, updating } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

/** The time of a machine whose clock is ahead. */
function aheadBy(milliseconds: number) {
  const time = quickTime()
  time.setAhead(milliseconds)
  return time
}

describe('a machine whose clock is far from the server’s', () => {
  test.for([
    [60_000, 'ahead of'],
    [-60_000, 'behind'],
  ] as const)('by %i ms does not start', async ([apart, how]) => {
    const started = database.node(database.newSchema(), { time: aheadBy(apart) })
    await expect(started).rejects.toMatchObject({ code: 'CLOCK', message: expect.stringContaining(`60 s ${how}`) })
  })

  test.for([9_000, -9_000])('by %i ms starts', async (apart) => {
    const store = await database.node(database.newSchema(), { time: aheadBy(apart) })
    expect(await store.isReady()).toBe(true)
  })

  test('begins nothing and claims nothing from the next renewal on, until it is right again', async () => {
    const schema = database.newSchema()
    const time = quickTime()
    const heard: unknown[] = []
    const right = await database.node(schema)
    const wrong = await database.node(schema, { time, onError: (error) => void heard.push(error) })
    const due = { deliveries: [delivery(order(1))], tasks: [task(order(1))] }
    await wrong.commit({ ...opening(order(1)), ...due }, NOW)
    time.setAhead(-120_000)
    time.tick()
    await expect.poll(() => heard.length).toBe(1)
    expect(String(heard[0])).toMatch(/120 s behind .* NTP/)
    const claim = { now: NOW + 1, until: NOW + 60_001, limit: 9 }
    expect([await wrong.isReady(), await wrong.nextDueAt()]).toEqual([false, undefined])
    expect([...(await wrong.claimDeliveries(claim)), ...(await wrong.claimTasks(claim))]).toEqual([])
    await expect(wrong.commit(opening(order(2)), NOW)).rejects.toMatchObject({ code: 'CLOCK' })
    await expect(wrong.commit({ nonce: nonce('a') }, NOW + 900_000)).rejects.toMatchObject({ code: 'CLOCK' })
    // The outcome of what is under way is written all the same.
    expect(await wrong.commit(updating(order(1), { operations: [operation({ status: 'approved' })] }), NOW)).toEqual({
      ok: true,
    })
    // The other machine is not affected.
    expect(await right.commit({ nonce: nonce('b') }, NOW)).toEqual({ ok: true })
    time.tick()
    time.setAhead(0)
    time.tick()
    await expect.poll(() => wrong.isReady()).toBe(true)
    expect(heard).toHaveLength(1)
    expect(await wrong.claimDeliveries(claim)).toHaveLength(1)
    expect(await wrong.commit(opening(order(2)), NOW)).toEqual({ ok: true })
  })
})

test.for([
  [{ asked: 100, now: 150, answered: 200 }, 0],
  [{ asked: 100, now: 90, answered: 200 }, 10],
  [{ asked: 100, now: 230, answered: 200 }, -30],
  // An answer that took a minute does not prove that a clock is half a minute off.
  [{ asked: 0, now: 30_000, answered: 60_000 }, 0],
] as const)('clocks that showed %o are at least %i ms apart', ([comparison, expected]) => {
  expect(leastSkew(comparison)).toBe(expected)
})
