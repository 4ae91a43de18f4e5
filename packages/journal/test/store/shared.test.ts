import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { intentWith, outcomeWith, written } from '../intents.ts'
import { postgresWorld } from './postgres-world.ts'

const { url, open, shopClient, inShop } = postgresWorld()

/** The n-th of several intents of different keys and orders. */
function intentOf(n: string) {
  return intentWith({ intentId: n, businessKey: `invoice ${n}`, clientOrderId: `order-${n}` })
}

describe('What is written together in PostgreSQL', () => {
  test('waits for no transaction of the shop, but for what is of its own key', async () => {
    const store = open()
    const shop = await shopClient()
    await shop.query('begin')
    expect(await store.insert(intentOf('a'), shop)).toEqual({ ok: true })
    let isIn = false
    const same = store.insert({ ...intentOf('a'), intentId: 'a, again' }).then((result) => {
      isIn = true
      return result
    })
    const others = await Promise.all([store.insert(intentOf('b')), store.insert(intentOf('c'))])
    expect([others, isIn]).toEqual([[{ ok: true }, { ok: true }], false])
    // The next ones do not even share a statement with it.
    expect([await store.insert(intentOf('d')), isIn]).toEqual([{ ok: true }, false])
    await shop.query('rollback')
    expect(await same).toEqual({ ok: true })
  })

  test('is written where transactions only read unless they say otherwise', async () => {
    const reading = new URL(url())
    const given = reading.searchParams.get('options')
    reading.searchParams.set('options', `${given} -c default_transaction_read_only=on`)
    const store = open(reading.href)
    expect(await store.insert(intentWith())).toEqual({ ok: true })
    expect(await store.update({ intent: written(intentWith(), { state: 'SENDING' }), outcomes: [] })).toBe(true)
    expect(await store.wake('order-a', 5)).toBe(1)
    const callback = { clientOrderId: 'order-z', orderId: '9', status: 'approved', receivedAt: 1 }
    expect(await store.receive(callback, { limit: 5, checkAt: 1 })).toBe('orphan')
    expect(await store.claimOrphans({ now: 1, leaseUntil: 2, limit: 5 })).toHaveLength(1)
  })

  test('is known to be written, and written once, if its answer was lost', async () => {
    const way = await wayThatLosesAnswers(url())
    const store = open(way.url)
    await store.counts()
    way.lose()
    expect(await store.insert(intentWith())).toEqual({ ok: true })
    way.lose()
    const sent = written(intentWith(), { state: 'SENDING', leaseOwner: 'one', leaseUntil: 9 })
    expect(await store.update({ intent: sent, outcomes: [] })).toBe(true)
    const accepted = written(sent, { state: 'ACCEPTED', orderId: '9' })
    way.lose()
    expect(await store.update({ intent: accepted, outcomes: [outcomeWith()] })).toBe(true)
    expect(way.lost()).toBe(3)
    expect(await open().find('intent-1')).toEqual(accepted)
    expect(await inShop('select number, outcome from journal_outcomes')).toEqual([
      { number: 1, outcome: JSON.stringify({ ...outcomeWith(), key: 'order-a:1', number: 1 }) },
    ])
  })

  test('is not taken for its own if another process has written the same version', async () => {
    const way = await wayThatLosesAnswers(url())
    const [store, other] = [open(way.url), open()]
    await store.insert(intentWith())
    const sentBy = (leaseOwner: string) => ({
      intent: written(intentWith(), { state: 'SENDING', leaseOwner, leaseUntil: 9 }),
      outcomes: [],
    })
    // Its statement does not arrive, and before the next try the other process is faster.
    way.lose(async () => void (await other.update(sentBy('two'))))
    expect(await store.update(sentBy('one'))).toBe(false)
    expect(await other.find('intent-1')).toMatchObject({ leaseOwner: 'two', version: 2 })
  })

  test('leaves no orphan of an order that an operator names while its callback is being stored', async () => {
    const store = open()
    const review = intentWith({ state: 'REVIEW', reviewReason: 'TOO_OLD' })
    await store.insert(review)
    const storing = await shopClient()
    // As `receive` of another process does it.
    await storing.query(`begin; update journal_intents set version = version where client_order_id = 'order-a';
      insert into journal_orphan_orders (client_order_id, order_id, status, received_at, woken_at, callbacks, next_check_at)
        values ('order-a', '9', 'approved', 1, 1, 1, 1)`)
    const final = written(review, { state: 'FINAL', status: 'approved', orderId: '9', reviewReason: undefined })
    const named = store.update({ intent: final, outcomes: [outcomeWith()] })
    // Its first try has seen that the row is locked.
    await expect
      .poll(() =>
        inShop("select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%journal_intents%'"),
      )
      .toHaveLength(1)
    await storing.query('commit')
    expect(await named).toBe(true)
    expect(await store.find('intent-1')).toMatchObject({ state: 'FINAL', orderId: '9' })
    expect(await inShop('select order_id from journal_orphan_orders')).toEqual([])
  })
})

/** A way to the server that ends a connection as it answers. */
async function wayThatLosesAnswers(to: string) {
  const target = new URL(to)
  let [lost, isLosing] = [0, false]
  let before: (() => Promise<void>) | undefined
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.once('close', () => far.destroy())
    near.on('data', (chunk) => {
      if (!isLosing || !chunk.includes('intent-1')) return void far.write(chunk)
      isLosing = false
      lost++
      if (before !== undefined) return void before().then(() => near.destroy())
      far.removeAllListeners('data')
      far.once('data', () => near.destroy())
      far.write(chunk)
    })
    far.on('data', (chunk) => void near.write(chunk))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const way = new URL(to)
  way.port = String((server.address() as AddressInfo).port)
  return {
    url: way.href,
    /** The answer to the next statement; with something to do, the statement itself. */
    lose: (instead?: () => Promise<void>) => {
      before = instead
      isLosing = true
    },
    lost: () => lost,
  }
}
