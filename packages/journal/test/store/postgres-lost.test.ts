import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { intentWith } from '../intents.ts'
import { postgresWorld, withOutcome } from './postgres-world.ts'

const { url, open, inShop, cut } = postgresWorld()

describe('The journal in PostgreSQL, when connections are lost,', () => {
  test('goes on with others, if they were idle', async () => {
    const store = open()
    await Promise.all(Array.from({ length: 5 }, (_, n) => store.find(`${n}`)))
    await cut()
    expect(await store.insert(intentWith())).toEqual({ ok: true })
    await cut()
    expect(await store.find('intent-1')).toEqual(intentWith())
  })

  test('leaves nothing of a running handler, and calls it again', async () => {
    await inShop('create table paid (key text)')
    const store = open()
    const outcome = await withOutcome(store)
    const ended = store.deliver(outcome, 1, async (transaction) => {
      await transaction.query('insert into paid values ($1)', [outcome.key])
      // The handler goes on only once its connection has reported its end by an event.
      const over = new Promise((resolve) => transaction.once('end', resolve))
      await cut()
      await over
    })
    await expect(ended).rejects.toThrow('connection')
    expect([await inShop('select key from paid'), await store.countOpenOutcomes()]).toEqual([[], 1])
    const again = store.deliver(outcome, 1, async (transaction) => {
      await transaction.query('insert into paid values ($1)', [outcome.key])
    })
    expect(await again).toBe('done')
    expect(await inShop('select key from paid')).toEqual([{ key: 'order-a:1' }])
  })

  test('goes on with others, if one is lost as a transaction begins', async () => {
    const way = await wayThatBreaks(url(), 'begin')
    // An error event of such a loss without a listener would end the process.
    expect(await open(way.url).insert(intentWith())).toEqual({ ok: true })
    expect(way.breaks()).toBe(3)
    way.close()
  })

  test('says so if there is no server, and makes its tables later', async () => {
    const nowhere = new URL(url())
    nowhere.port = '1'
    await expect(open(nowhere.href).counts()).rejects.toThrow('ECONNREFUSED')
  })
})

/** A way to the server that breaks off the first three times that this statement is sent. */
async function wayThatBreaks(to: string, statement: string) {
  const target = new URL(to)
  let breaks = 0
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.once('close', () => far.destroy())
    far.pipe(near)
    near.on('data', (chunk) => {
      if (breaks === 3 || !chunk.includes(statement)) return void far.write(chunk)
      breaks++
      near.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const way = new URL(to)
  way.port = String((server.address() as AddressInfo).port)
  return { url: way.href, breaks: () => breaks, close: () => server.close() }
}
