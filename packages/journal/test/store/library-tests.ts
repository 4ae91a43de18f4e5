import type { JournalStore } from '@tallystick/client/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HandlerTimeoutError } from '../../src/runtime/concurrency.ts'
import { intentWith, withOutcomes } from '../intents.ts'
import type { Library, OpenLibrary } from './libraries.ts'

/** The database of the shop, emptied for each test. */
interface Shop {
  url(): string
  /** Statements of the shop. Gives the rows of the last one. */
  run(statements: string): Promise<readonly object[]>
  /** Makes `paid (key, invoice)` with a unique key. */
  readonly table: string
  readonly paid: string
  /** Makes the first insert into `paid` fail with a code, by which the server says that the transaction may be done again. */
  losing(code: string): string
  readonly codes: readonly string[]
  /** What a library says of a statement in a transaction that is over. */
  readonly refused: RegExp
  /** Ends the connections of the shop, as a server does that is restarted. */
  cut(): Promise<unknown>
}

async function outcomeIn(store: JournalStore<never>, order = 'order-a') {
  const [outcome] = await withOutcomes(store, order)
  if (outcome === undefined) throw new Error('there is no outcome')
  return outcome
}

/** What holds of the journal on the connections of each library of a shop. */
export function libraryTests(shop: Shop, libraries: Readonly<Record<string, OpenLibrary>>): void {
  const paid = () => shop.run(shop.paid)

  describe.each(Object.entries(libraries))('The journal on %s', (_, openLibrary) => {
    const opened: Library[] = []
    const open = async (most?: number): Promise<Library> => {
      const library = await openLibrary(shop.url(), most)
      opened.push(library)
      return library
    }
    beforeEach(() => shop.run(shop.table))
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((one) => one.end()))
    })

    test('[F-A3] books once with the transaction of the library, if the handler throws after its write', async () => {
      const { store, book } = await open()
      const outcome = await outcomeIn(store)
      const failing = store.deliver(outcome, 1, async (transaction) => {
        await book('first', transaction)
        throw new Error('after its write')
      })
      await expect(failing).rejects.toThrow('after its write')
      expect(await paid()).toEqual([])
      expect(await store.deliver(outcome, 2, async (transaction) => void (await book('second', transaction)))).toBe(
        'done',
      )
      expect(await store.deliver(outcome, 3, async (transaction) => void (await book('third', transaction)))).toBe(
        'not-mine',
      )
      expect(await paid()).toEqual([{ key: 'second', invoice: 'invoice 77' }])
    })

    test('refuses what a handler writes after its time is over, and takes its transaction back at once', async () => {
      const { store, book } = await open()
      const outcome = await outcomeIn(store)
      const goOn = Promise.withResolvers<void>()
      const wrote = Promise.withResolvers<unknown>()
      const ended = wrote.promise.then(
        () => {},
        () => {},
      )
      const late = store.deliver(outcome, 1, async (transaction) => {
        await book('first', transaction)
        goOn.promise.then(() => book('late', transaction)).then(wrote.resolve, wrote.reject)
        throw new HandlerTimeoutError('The handler', 1, ended)
      })
      await expect(late).rejects.toThrow('did not end within 1 ms')
      await store.putOff(outcome, 2)
      expect(await store.deliver(outcome, 2, async (transaction) => void (await book('second', transaction)))).toBe(
        'done',
      )
      goOn.resolve()
      await expect(wrote.promise).rejects.toThrow(shop.refused)
      expect(await paid()).toEqual([{ key: 'second', invoice: 'invoice 77' }])
    })

    test.each(shop.codes)('calls the handler again, in a new transaction, if the server says %s', async (code) => {
      await shop.run(shop.losing(code))
      const { store, book } = await open()
      const outcome = await outcomeIn(store)
      expect(await store.deliver(outcome, 1, async (transaction) => void (await book('a', transaction)))).toBe('done')
      expect(await paid()).toEqual([{ key: 'a', invoice: 'invoice 77' }])
    })

    test('writes an intent in the transaction of the shop, and nothing of it after a rollback', async () => {
      const { store, book, inTransaction } = await open()
      const rolledBack = inTransaction(async (transaction) => {
        await store.insert(intentWith(), transaction)
        await book('a', transaction)
        throw new Error('no stock')
      })
      await expect(rolledBack).rejects.toThrow('no stock')
      expect([await store.find('intent-1'), await paid()]).toEqual([undefined, []])
      await inTransaction(async (transaction) => {
        expect(await store.insert(intentWith(), transaction)).toEqual({ ok: true })
        expect(await store.insert(intentWith(), transaction)).toEqual({ ok: false, conflict: 'business-key' })
        await book('a', transaction)
      })
      expect([await store.find('intent-1'), await paid()]).toEqual([
        intentWith(),
        [{ key: 'a', invoice: 'invoice 77' }],
      ])
    })

    test('says at once that a handler waits for itself on a pool of one connection', async () => {
      const { store } = await open(1)
      const outcome = await outcomeIn(store)
      const waiting = store.deliver(outcome, 1, async () => void (await store.find('intent-1')))
      await expect(waiting).rejects.toThrow('the pool has one connection, which the handler has')
      expect(await store.deliver(outcome, 2, () => {})).toBe('done')
    })

    test('lets what a handler has begun use a pool of one connection once the handler has ended', async () => {
      const { store } = await open(1)
      const outcome = await outcomeIn(store)
      const ended = Promise.withResolvers<void>()
      let later: Promise<unknown> = Promise.resolve()
      await store.deliver(outcome, 1, () => {
        later = ended.promise.then(() => store.find('intent-1'))
      })
      ended.resolve()
      await expect(later).resolves.toBeUndefined()
    })

    test('opens the next connection when the server has ended those that it has', async () => {
      const { store } = await open()
      await store.insert(intentWith())
      await shop.cut()
      expect(await store.find('intent-1')).toEqual(intentWith())
      const later = intentWith({ intentId: '2', businessKey: 'invoice 78', clientOrderId: 'order-b' })
      expect(await store.insert(later)).toEqual({ ok: true })
    })
  })
}
