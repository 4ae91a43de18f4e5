import { expect, test } from 'vitest'
import { withOutcomes } from '../intents.ts'
import { LIBRARIES } from './libraries.ts'
import { libraryTests } from './library-tests.ts'
import { postgresWorld } from './postgres-world.ts'

const { url, inShop } = postgresWorld()

const shop = {
  url,
  run: inShop,
  table: 'create table paid (key text primary key, invoice text)',
  paid: 'select key, invoice from paid order by key',
  losing: (code: string) => `create sequence tries;
    create function lose() returns trigger language plpgsql as
      $$ begin if nextval('tries') = 1 then raise sqlstate '${code}'; end if; return new; end $$;
    create trigger lose before insert on paid for each row execute function lose()`,
  codes: ['40001', '40P01'],
  refused: /aborted|Failed query/,
  cut: () =>
    inShop(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`),
}
libraryTests(shop, LIBRARIES)

// MySQL goes on with the transaction after a statement that has failed.
test.each(Object.entries(LIBRARIES))(
  'The journal on %s rolls back what a handler writes that swallows the error of a statement',
  async (_, openLibrary) => {
    await inShop(shop.table)
    const { store, book, end } = await openLibrary(url())
    const [outcome] = await withOutcomes(store, 'order-a')
    if (outcome === undefined) throw new Error('there is no outcome')
    const swallowing = store.deliver(outcome, 1, async (transaction) => {
      await book('once', transaction)
      await book('once', transaction).catch(() => {})
    })
    await expect(swallowing).rejects.toThrow(/aborted|rolled back|duplicate key|Failed query/)
    expect([await inShop(shop.paid), await store.countOpenOutcomes()]).toEqual([[], 1])
    await end()
  },
)

// A library may open the connection again, and would run there what still comes of the transaction.
test.each(Object.entries(LIBRARIES))(
  'The journal on %s writes nothing of a handler that goes on after its connection was lost',
  async (_, openLibrary) => {
    await inShop(shop.table)
    const { store, book, end } = await openLibrary(url(), 2)
    const [outcome] = await withOutcomes(store, 'order-a')
    if (outcome === undefined) throw new Error('there is no outcome')
    const goesOn = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const late = Promise.withResolvers<unknown>()
    const lost = store.deliver(outcome, 1, async (transaction) => {
      await book('first', transaction)
      begun.resolve()
      await goesOn.promise
      late.resolve((async () => await book('late', transaction))())
    })
    const failed = lost.catch(String)
    await begun.promise
    await shop.cut()
    // By now the library has opened others.
    await Promise.all([store.find('order-a'), store.find('order-a')])
    goesOn.resolve()
    await expect(late.promise).rejects.toThrow(/connection|failed query|rollback has been called|already released/i)
    expect(await failed).toMatch(/connection|failed query|rollback has been called|already released/i)
    expect(await inShop(shop.paid)).toEqual([])
    expect(await store.deliver(outcome, 2, async (transaction) => void (await book('again', transaction)))).toBe('done')
    expect(await inShop(shop.paid)).toEqual([{ key: 'again', invoice: 'invoice 77' }])
    await Promise.race([end(), new Promise((resolve) => setTimeout(resolve, 1000))])
  },
)
