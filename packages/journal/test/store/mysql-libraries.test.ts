import { createPool } from 'mysql2/promise'
import { beforeEach, expect, test } from 'vitest'
import { withOutcomes } from '../intents.ts'
import { libraryTests } from './library-tests.ts'
import { describeMariaDb, mariaDb } from './mariadb.ts'
import { MYSQL_LIBRARIES } from './mysql-libraries.ts'

describeMariaDb('On MariaDB', () => {
  const { fresh, runIn, cut } = mariaDb()
  let url = ''
  beforeEach(async () => {
    url = await fresh()
  })
  const run = (statements: string) => runIn(url, statements)
  const table = 'create table paid (`key` varchar(100) primary key, invoice text)'
  const paid = 'select `key`, invoice from paid order by `key`'

  libraryTests(
    {
      url: () => url,
      run,
      table,
      paid,
      // A table without transactions counts on after a rollback.
      losing: (code) => `create table tries (n int) engine = myisam; insert into tries values (0);
        create trigger lose before insert on paid for each row begin
          update tries set n = n + 1;
          if (select n from tries) = 1 then signal sqlstate '40001' set mysql_errno = ${code}; end if;
        end`,
      codes: ['1213', '1020'],
      refused: /READ ONLY|Failed query|rollback has been called/,
      cut: () => cut(url),
    },
    MYSQL_LIBRARIES,
  )

  // The server rolls the whole transaction back, and would commit each later statement by itself.
  test.each(Object.entries(MYSQL_LIBRARIES))(
    'The journal on %s writes nothing of a handler that swallows a deadlock, and calls it again',
    async (_, openLibrary) => {
      const library = await openLibrary(url)
      const { store, book } = library
      const [outcome] = await withOutcomes(store, 'order-a')
      if (outcome === undefined) throw new Error('there is no outcome')
      await run(`${table}; insert into paid select concat('stock ', seq), '' from seq_1_to_100`)
      const other = createPool({ uri: url, connectionLimit: 1 })
      const connection = await other.getConnection()
      await connection.query('set session transaction isolation level read committed')
      await connection.beginTransaction()
      // InnoDB ends the transaction that has written less.
      await connection.query("update paid set invoice = 'other' where `key` <> 'stock 1'")
      const swallowing = store.deliver(outcome, 1, async (transaction) => {
        await book('before', transaction)
        const theirs = connection.query("update paid set invoice = 'other' where `key` = 'before'")
        await book('stock 2', transaction).catch(() => {})
        await theirs
        await book('after', transaction).catch(() => {})
      })
      await expect(swallowing).rejects.toThrow(/must not end|READ ONLY|Failed query/)
      await connection.rollback()
      await other.end()
      expect(await run("select * from paid where `key` not like 'stock%'")).toEqual([])
      expect(await store.deliver(outcome, 2, async (transaction) => void (await book('again', transaction)))).toBe(
        'done',
      )
      expect(await run("select `key` from paid where `key` not like 'stock%'")).toEqual([{ key: 'again' }])
      await library.end()
    },
  )
})
