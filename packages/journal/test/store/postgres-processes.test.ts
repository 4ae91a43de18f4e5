import { describe, expect, test } from 'vitest'
import { intentWith, outcomeWith, withOutcomes, written } from '../intents.ts'
import { postgresWorld, withOutcome } from './postgres-world.ts'

const { open, inShop, shopClient } = postgresWorld()

async function withTwoIntents() {
  const store = open()
  const [a, b] = [named('a'), named('b')]
  await store.insert(a)
  await store.insert(b)
  return { store, a, b }
}

function named(id: string) {
  return intentWith({ intentId: id, businessKey: id, clientOrderId: id })
}

describe('The journal of several processes in PostgreSQL', () => {
  test('makes its tables once, and inserts a key once', async () => {
    const stores = Array.from({ length: 4 }, () => open())
    const inserted = await Promise.all(
      stores.flatMap((store, s) =>
        Array.from({ length: 25 }, (_, n) =>
          store.insert(intentWith({ intentId: `${s}-${n}`, businessKey: `key ${n}`, clientOrderId: `o${s}-${n}` })),
        ),
      ),
    )
    expect(inserted.filter(({ ok }) => ok)).toHaveLength(25)
    expect(inserted.filter((one) => !one.ok && one.conflict === 'business-key')).toHaveLength(75)
  })

  test('leases what is due to one of them', async () => {
    const stores = Array.from({ length: 4 }, () => open())
    const [first] = stores
    const names = Array.from({ length: 60 }, (_, n) => `order ${n}`)
    for (const name of names) {
      await first?.insert(
        intentWith({ intentId: name, businessKey: name, clientOrderId: name, state: 'UNKNOWN', nextCheckAt: 1 }),
      )
    }
    const claimed = await Promise.all(
      stores.map(async (store, s) => {
        const own: string[] = []
        const claim = { now: 10, leaseUntil: 1000, owner: `process ${s}`, limit: 7 }
        for (let due = await store.claimDue(claim); due.length > 0; due = await store.claimDue(claim)) {
          own.push(...due.map(({ intentId }) => intentId))
        }
        return own
      }),
    )
    expect(claimed.flat().toSorted()).toEqual(names.toSorted())
  })

  test('does not wait for what another one has claimed and not yet committed', async () => {
    const store = open()
    const due = { state: 'UNKNOWN', nextCheckAt: 1 } as const
    await store.insert(intentWith(due))
    await store.insert(intentWith({ ...due, intentId: '2', businessKey: 'b', clientOrderId: 'b' }))
    const other = await shopClient()
    await other.query("begin; select 1 from journal_intents where intent_id = 'intent-1' for update")
    const claim = { now: 10, leaseUntil: 1000, owner: 'me', limit: 10 }
    expect(await store.claimDue(claim)).toMatchObject([{ intentId: '2' }])
    await other.query('rollback')
    expect(await store.claimDue(claim)).toMatchObject([{ intentId: 'intent-1' }])
  })

  test('delivers each outcome once, with what the handler wrote', async () => {
    await inShop('create table paid (key text)')
    const stores = Array.from({ length: 4 }, () => open())
    const [first = open()] = stores
    const outcomes = await withOutcomes(first, ...Array.from({ length: 20 }, (_, n) => `order-${n}`))
    const handed = await Promise.all(
      stores.flatMap((store) =>
        outcomes.map((outcome) =>
          store.deliver(outcome, 1, async (transaction) => {
            await transaction.query('insert into paid values ($1)', [outcome.key])
          }),
        ),
      ),
    )
    expect(handed.filter((one) => one === 'done')).toHaveLength(20)
    const paid = await inShop('select key from paid order by key')
    expect(paid).toEqual(outcomes.map(({ key }) => ({ key })).toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    expect(await first.countOpenOutcomes()).toBe(0)
  })

  test('skips an outcome that another process is handing over', async () => {
    const [one, other] = [open(), open()]
    const outcome = await withOutcome(one)
    const isIn = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const telling = one.deliver(outcome, 1, async () => {
      isIn.resolve()
      await mayEnd.promise
    })
    await isIn.promise
    expect(await other.deliver(outcome, 1, () => {})).toBe('not-mine')
    mayEnd.resolve()
    expect(await telling).toBe('done')
  })

  test('numbers the outcomes of an order that are written at once', async () => {
    const stores = Array.from({ length: 8 }, () => open())
    const intents = stores.map((_, n) =>
      intentWith({ intentId: `${n}`, businessKey: `b${n}`, kind: 'modification', orderId: '1' }),
    )
    for (const intent of intents) await stores[0]?.insert(intent)
    await Promise.all(
      stores.map((store, n) =>
        store.update({ intent: written(intents[n] ?? intentWith()), outcomes: [outcomeWith({ intentId: `${n}` })] }),
      ),
    )
    expect(await inShop('select number from journal_outcomes order by number')).toEqual(
      stores.map((_, n) => ({ number: n + 1 })),
    )
  })

  test('counts a callback that comes while another one of the same order is written for the first time', async () => {
    const store = open()
    await store.counts()
    const other = await shopClient()
    await other.query(`begin; insert into journal_orphan_orders
      (client_order_id, order_id, status, received_at, woken_at, callbacks, next_check_at)
      values ('order-a', '1', 'approved', 50, 50, 1, 52)`)
    const entry = { clientOrderId: 'order-a', orderId: '1', status: 'approved', receivedAt: 51 }
    const received = store.receive(entry, { limit: 10, checkAt: 53 })
    await untilWaiting(1)
    await other.query('commit')
    expect(await received).toBe('orphan')
    expect(await store.orphans(10)).toMatchObject([{ callbacks: 2, receivedAt: 50, wokenAt: 51 }])
  })

  test('writes none of several intents if another process is faster with the last of them', async () => {
    const { store, a, b } = await withTwoIntents()
    const other = await shopClient()
    await other.query("begin; update journal_intents set version = 2 where intent_id = 'b'")
    const updating = store.update({ intent: written(a), outcomes: [] }, { intent: written(b), outcomes: [] })
    await untilWaiting(1)
    await other.query('commit')
    expect(await updating).toBe(false)
    expect(await store.find('a')).toEqual(a)
  })

  test('repeats what a deadlock has rolled back', async () => {
    const { store, a, b } = await withTwoIntents()
    const other = await shopClient()
    // The server ends the transaction that notices first that it waits in a circle.
    await other.query("set deadlock_timeout = '20s'")
    await other.query("begin; update journal_intents set sends = 9 where intent_id = 'b'")
    const updating = store.update({ intent: written(a), outcomes: [] }, { intent: written(b), outcomes: [] })
    await untilWaiting(1)
    const { rowCount } = await other.query("update journal_intents set sends = 9 where intent_id = 'a'")
    expect(rowCount).toBe(1)
    await other.query('commit')
    expect(await updating).toBe(true)
    expect(await store.find('a')).toMatchObject({ version: 2, sends: 0 })
  })

  /** Until so many connections wait for a lock. */
  async function untilWaiting(count: number): Promise<void> {
    await expect
      .poll(async () => (await inShop('select 1 from pg_locks where not granted')).length, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(count)
  }
})
