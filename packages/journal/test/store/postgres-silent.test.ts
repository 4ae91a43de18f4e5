import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { wayThatFallsSilent } from '@tallystick/test-postgres'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createJournal } from '../../src/index.ts'
import { postgresJournalStore } from '../../src/postgres.ts'
import { journalIn, journalPool } from '../../src/store/postgres/own-pool.ts'
import { decidingClient } from '../deciding-client.ts'
import { intentWith } from '../intents.ts'
import { postgresWorld, withOutcome } from './postgres-world.ts'

const { url, open, shopClient } = postgresWorld()

describe('The journal in PostgreSQL', () => {
  test('gives up a connection that has gone silent, and takes another one', async () => {
    const way = await wayThatFallsSilent(url())
    const pool = journalPool(way.url, 300)
    const store = postgresJournalStore({ pool })
    await store.insert(intentWith())
    way.silence()
    expect(await store.find('intent-1')).toEqual(intentWith())
    way.silence()
    expect(await store.wake('order-a', 5)).toBe(1)
    await pool.end()
    way.close()
  })

  test('does not keep a caller waiting for ever who asks whether there is one', async () => {
    const server = await serverThatTellsNothing()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const said = journalIn(server.url).catch(String)
    for (const _ of [1, 2]) {
      await server.asked()
      await vi.advanceTimersByTimeAsync(61_000)
    }
    expect(await said).toContain('timeout')
  })

  test('has the server free the locks of a process stopped within a transaction after 8 seconds, or sooner if it is set so', async () => {
    const settings: unknown[] = []
    const shown = new URL(url())
    for (const setting of ['', ' -c idle_in_transaction_session_timeout=7s']) {
      shown.searchParams.set('options', `${new URL(url()).searchParams.get('options')}${setting}`)
      const store = open(shown.href)
      const order = `order-${settings.length}`
      const intent = intentWith({ intentId: order, businessKey: order, clientOrderId: order })
      const outcome = {
        kind: 'outcome',
        intentId: order,
        businessKey: order,
        operation: 'sale',
        clientOrderId: order,
      } as const
      await store.insert(intent)
      await store.update({ intent: { ...intent, version: 2 }, outcomes: [{ ...outcome, status: 'approved' }] })
      const [one] = await store.openOutcomes(0, 1)
      await store.deliver(one?.outcome ?? expect.fail(), 1, async (transaction) => {
        const { rows } = await transaction.query('show idle_in_transaction_session_timeout')
        settings.push(...rows.flatMap(Object.values))
      })
    }
    expect(settings).toEqual(['8s', '7s'])
  })

  test.each([
    [undefined, '11s'],
    [60_000, '61s'],
    [2 ** 31 - 1, '2147483647ms'],
  ])('leaves the end of a handler to its own limit: of %s ms', async (handlerTimeoutMs, idle) => {
    const store = open()
    await withOutcome(store)
    const settings: unknown[] = []
    const journal = createJournal({
      client: decidingClient(),
      store,
      ...(handlerTimeoutMs && { handlerTimeoutMs }),
      handler: async ({ transaction }) => {
        const { rows } = await transaction.query('show idle_in_transaction_session_timeout')
        settings.push(...rows.flatMap(Object.values))
      },
      onNotice: 'ignore',
    })
    expect(await journal.reconcile()).toMatchObject({ delivered: 1 })
    expect(settings).toEqual([idle])
  })

  test('ends a handler that waits for something else, and says by which limit', async () => {
    const store = open()
    await withOutcome(store)
    const told: unknown[] = []
    const journal = createJournal({
      client: decidingClient(),
      store,
      handlerTimeoutMs: 50,
      handler: () => new Promise(() => {}),
      onNotice: 'ignore',
      onEvent: (event) => void told.push(event),
    })
    expect(await journal.reconcile()).toMatchObject({ delivered: 0 })
    expect(told).toMatchObject([{ type: 'HANDLER_FAILED', error: { code: 'HANDLER_TIMEOUT' } }])
    expect(await store.countOpenOutcomes()).toBe(1)
  })

  test('checks what is due, even if another process holds rows with future times after the clock was set back', async () => {
    const store = postgresJournalStore({ connectionString: url() })
    const lookable = { state: 'UNKNOWN', sentAt: 1000, nextCheckAt: 2000, endpointId: '253' } as const
    await store.insert(intentWith(lookable))
    const ahead = { intentId: '2', businessKey: 'b', clientOrderId: 'order-b', lookedAt: 900_000, nextCheckAt: 905_000 }
    await store.insert(intentWith({ ...lookable, ...ahead }))
    const stopped = await shopClient()
    await stopped.query("begin; update journal_intents set version = version where intent_id = '2'")
    const failures: string[] = []
    const schedule = (delayMs: number, task: () => void) => {
      const timer = setTimeout(task, delayMs)
      return () => clearTimeout(timer)
    }
    const journal = createJournal({
      client: decidingClient(() => ({ status: 'declined', 'paynet-order-id': '9', 'merchant-order-id': 'order-a' })),
      store,
      clock: { now: () => 100_000, schedule },
      onEvent: (event) => void failures.push(event.type === 'RECONCILE_FAILED' ? String(event.error) : event.type),
    })
    journal.start()
    await expect.poll(async () => (await store.find('intent-1'))?.state, { timeout: 10_000 }).toBe('FINAL')
    expect(failures[0]).toContain('lock timeout')
    expect(await store.find('2')).toMatchObject({ lookedAt: 900_000, nextCheckAt: 905_000 })
    await stopped.query('rollback')
    await expect.poll(async () => (await store.find('2'))?.lookedAt, { timeout: 10_000 }).toBe(100_000)
    await journal.close()
  })

  test('finds out about payments, even if another process holds the note of the last answer', async () => {
    const store = open()
    const lookable = { state: 'UNKNOWN', sentAt: 1000, nextCheckAt: 2000, endpointId: '253' } as const
    await store.noteAnswer({ endpointId: '253' }, 5)
    await store.insert(intentWith(lookable))
    const stopped = await shopClient()
    await stopped.query('begin; update journal_gateway_answers set at = at')
    const failures: string[] = []
    const journal = createJournal({
      client: decidingClient(() => ({ status: 'declined', 'paynet-order-id': '9', 'merchant-order-id': 'order-a' })),
      store,
      clock: { now: () => 100_000, schedule: () => () => {} },
      onEvent: (event) => void failures.push(event.type === 'RECONCILE_FAILED' ? String(event.error) : event.type),
    })
    expect(await journal.reconcile()).toMatchObject({ checked: 1 })
    expect(await store.find('intent-1')).toMatchObject({ state: 'FINAL', status: 'declined' })
    expect(failures).toEqual([expect.stringContaining('lock timeout')])
    await stopped.query('rollback')
  })
})

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** A server that accepts every connection, and answers no query. */
async function serverThatTellsNothing() {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATED, READY]))
      socket.once('data', () => server.emit('question'))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `postgres://shop:secret@127.0.0.1:${port}/shop`, asked: () => once(server, 'question') }
}
