import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openConnection } from '../../../src/store/sqlite/connection.ts'
import { hasJournal } from '../../../src/store/sqlite/migrate.ts'
import { sqliteJournalStore } from '../../../src/store/sqlite/sqlite-journal-store.ts'
import { intentWith, outcomeWith, withOutcomes } from '../../intents.ts'
import { ownFolder } from '../../own-folder.ts'
import { journalStoreSuite } from '../suite.ts'

/** What this process has locked of a file, as the system sees it. */
function locksOn(file: string): readonly string[] {
  const { ino } = statSync(file)
  const locks = readFileSync('/proc/locks', 'utf8').split('\n')
  return locks
    .filter((lock) => lock.includes(` ${process.pid} `) && lock.includes(`:${ino} `))
    .map((lock) => lock.split(/\s+/)[3] ?? '')
}

const inFolder = ownFolder()
const fileIn = () => inFolder('shop.db')

describe('The journal in a SQLite file', () => {
  describe('does what every store does:', () => {
    journalStoreSuite(() => sqliteJournalStore({ file: fileIn() }))
  })

  test('outlives its process, and is opened again', async () => {
    const store = sqliteJournalStore({ file: fileIn() })
    await store.insert(intentWith())
    await store.close()
    const again = sqliteJournalStore({ file: fileIn() })
    expect([again.durable, await again.find('intent-1')]).toEqual([true, intentWith()])
    await again.close()
  })

  test('is durable at each commit, even if power is lost right after it', () => {
    const { database } = openConnection(fileIn())
    const settings = ['journal_mode', 'synchronous'].map((name) => database.prepare(`PRAGMA ${name}`).get())
    // 2 is FULL: in a write-ahead log less than that loses what was committed last.
    expect(settings).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }])
    database.close()
  })

  // `node:sqlite` of Node 22 and 24 returns a text only up to that character, wherever it is read.
  test('holds no U+0000 in its texts, which a gateway may have sent', async () => {
    const store = sqliteJournalStore({ file: fileIn() })
    await store.insert(intentWith({ serialNumber: 'a\0b' }))
    const file = new DatabaseSync(fileIn(), { readOnly: true })
    expect(file.prepare('select serial_number from journal_intents').all()).toEqual([{ serial_number: 'a\uE0000b' }])
    file.close()
    await store.close()
  })

  test('names a file that is no database, and leaves it as it is', () => {
    const notes = inFolder('notes.txt')
    writeFileSync(notes, 'what to buy\n'.repeat(500))
    const refusal = `sqliteJournalStore: cannot open ${notes} (file is not a database); it must be a SQLite database`
    expect(() => sqliteJournalStore({ file: notes })).toThrow(refusal)
    expect(() => hasJournal(notes)).toThrow(refusal)
    expect(readFileSync(notes, 'utf8')).toBe('what to buy\n'.repeat(500))
  })

  test('may be open many times at once', async () => {
    const stores = Array.from({ length: 4 }, () => sqliteJournalStore({ file: fileIn() }))
    const inserted = await Promise.all(
      stores.flatMap((store, s) =>
        Array.from({ length: 25 }, (_, n) =>
          store.insert(intentWith({ intentId: `${s}-${n}`, businessKey: `key ${n}`, clientOrderId: `o${s}-${n}` })),
        ),
      ),
    )
    expect(inserted.filter(({ ok }) => ok)).toHaveLength(25)
    await Promise.all(stores.map((store) => store.close()))
  })

  test('can be read by its owner only, with its log; a file that exists keeps its rights', async () => {
    const rightsOf = (name: string) => (statSync(inFolder(name)).mode & 0o777).toString(8)
    const before = process.umask(0o022)
    const store = sqliteJournalStore({ file: fileIn() })
    await store.insert(intentWith())
    expect(['shop.db', 'shop.db-wal', 'shop.db-shm'].map(rightsOf)).toEqual(['600', '600', '600'])
    await store.close()
    writeFileSync(inFolder('other.db'), '')
    chmodSync(inFolder('other.db'), 0o640)
    await sqliteJournalStore({ file: inFolder('other.db') }).close()
    expect(rightsOf('other.db')).toBe('640')
    process.umask(before)
  })

  test.skipIf(process.platform === 'win32')('[F-B10] warns of a file that others may read or write', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    for (const mode of [0o644, 0o666, 0o640]) {
      writeFileSync(fileIn(), '')
      chmodSync(fileIn(), mode)
      await sqliteJournalStore({ file: fileIn() }).close()
    }
    expect(
      new Set(
        warn.mock.calls.map(([text]) =>
          String(text)
            .replace(fileIn(), 'FILE')
            .replace(/: chmod.*/, ''),
        ),
      ),
    ).toEqual(
      new Set([
        'FILE has mode 644, so every user of this machine may read who bought what',
        'FILE has mode 666, so every user of this machine may change what was paid',
      ]),
    )
  })

  // On Windows nobody can take an open file away.
  test.skipIf(process.platform === 'win32').for(['', '-wal'])(
    'writes nothing while its file%s has another name, since a restart would forget it',
    async (suffix) => {
      const store = sqliteJournalStore({ file: fileIn() })
      await store.insert(intentWith())
      const name = `${fileIn()}${suffix}`
      renameSync(name, `${name}.away`)
      const other = { intentId: 'intent-2', businessKey: 'key 2', clientOrderId: 'o2z' }
      await expect(store.insert(intentWith(other))).rejects.toThrow(
        `sqliteJournalStore: ${name} was removed or replaced`,
      )
      copyFileSync(`${name}.away`, name)
      await expect(store.insert(intentWith(other))).rejects.toThrow('stop the shop and start it anew')
      renameSync(`${name}.away`, name)
      expect(await store.insert(intentWith(other))).toMatchObject({ ok: true })
      await store.close()
    },
  )

  test('says what is wrong with its options', () => {
    const wrong = (options: unknown) => () => sqliteJournalStore(options as { file: string })
    expect(wrong(undefined)).toThrow('sqliteJournalStore: the options must be an object')
    expect(wrong({ path: 'shop.db' })).toThrow('sqliteJournalStore: there is no option path; there are file')
    expect(wrong({})).toThrow('sqliteJournalStore: file must be given: a text, such as /var/lib/shop/shop.db')
    expect(wrong({ file: 7 })).toThrow('sqliteJournalStore: file must be a text, such as /var/lib/shop/shop.db')
    expect(wrong({ file: ' ' })).toThrow('file must be a text')
    expect(wrong({ file: ':memory:' })).toThrow('memoryJournalStore')
    const lost = inFolder('none', 'shop.db')
    expect(() => sqliteJournalStore({ file: lost })).toThrow(
      `sqliteJournalStore: cannot open ${lost} (unable to open database file); there is no folder ${inFolder('none')}: make it first`,
    )
    expect(() => sqliteJournalStore({ file: inFolder() })).toThrow(
      `${inFolder()} (unable to open database file); it must be a SQLite database`,
    )
  })

  test('writes what waits before the next handler begins', async () => {
    const store = sqliteJournalStore({ file: fileIn() })
    const outcomes = await withOutcomes(store, 'a', 'b', 'c')
    const log: string[] = []
    const [began, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const handing = outcomes.map((outcome) =>
      store.deliver(outcome, 1, async () => {
        log.push(outcome.clientOrderId)
        began.resolve()
        await end.promise
      }),
    )
    await began.promise
    const written = store.insert(intentWith({ intentId: 'payment' })).then(() => log.push('a payment'))
    end.resolve()
    await Promise.all([...handing, written])
    expect(log).toEqual(['a', 'a payment', 'b', 'c'])
    await store.close()
  })

  test('is closed once a handler that has its transaction has ended', async () => {
    const store = sqliteJournalStore({ file: fileIn() })
    const [outcome = Object.create(null)] = await withOutcomes(store, 'a')
    const [began, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const handing = store.deliver(outcome, 1, async () => {
      began.resolve()
      await end.promise
    })
    await began.promise
    const closing = store.close()
    end.resolve()
    expect(await handing).toBe('done')
    await closing
    const again = sqliteJournalStore({ file: fileIn() })
    expect(await again.openOutcomes(1, 10)).toEqual([])
    await again.close()
  })

  test('may be closed twice', async () => {
    const store = sqliteJournalStore({ file: fileIn() })
    await store.close()
    await expect(store.close()).resolves.toBeUndefined()
  })

  test('is refused when a later version wrote it', async () => {
    await sqliteJournalStore({ file: fileIn() }).close()
    const database = new DatabaseSync(fileIn())
    database.exec("insert into journal_version values (99, 'later', 99, 0)")
    database.close()
    expect(() => sqliteJournalStore({ file: fileIn() })).toThrow('version 99')
  })

  test('is named and closed if its tables are those of no release', async () => {
    await sqliteJournalStore({ file: fileIn() }).close()
    const database = new DatabaseSync(fileIn())
    database.exec('alter table journal_version drop column works_with')
    const refusal = new RegExp(
      `cannot open ${fileIn()} \\(no such column: .*\\); its journal has other tables than this version makes`,
    )
    expect(() => sqliteJournalStore({ file: fileIn() })).toThrow(refusal)
    expect(() => hasJournal(fileIn())).toThrow(refusal)
    database.close()
    // Closing the last connection removes the log.
    expect(existsSync(inFolder('shop.db-wal'))).toBe(false)
  })

  test('is accepted if a later version wrote it that this one can work with', async () => {
    await sqliteJournalStore({ file: fileIn() }).close()
    const database = new DatabaseSync(fileIn())
    database.exec(
      "alter table journal_intents add column note text; insert into journal_version values (2, 'later', 1, 0)",
    )
    database.close()
    const store = sqliteJournalStore({ file: fileIn() })
    await store.insert(intentWith())
    expect(await store.find('intent-1')).toEqual(intentWith())
    await store.close()
  })

  test.runIf(process.platform === 'linux')(
    'keeps its lock: a program that closes the file leaves its log there',
    async () => {
      const store = sqliteJournalStore({ file: fileIn() })
      expect(locksOn(fileIn())).toContain('READ')
      await sqliteJournalStore({ file: fileIn() }).close()
      expect(locksOn(fileIn())).toContain('READ')
      await store.close()
      expect(locksOn(fileIn())).toEqual([])
    },
  )

  describe('in the database of the shop', () => {
    test('writes an intent within the transaction of an order, or not at all', async () => {
      const store = sqliteJournalStore({ file: fileIn() })
      const shop = new DatabaseSync(fileIn())
      shop.exec('create table orders (id text) strict')
      shop.exec("begin; insert into orders values ('77')")
      await store.insert(intentWith(), shop)
      shop.exec('rollback')
      expect(await store.find('intent-1')).toBeUndefined()
      shop.exec("begin; insert into orders values ('77')")
      expect(await store.insert(intentWith(), shop)).toEqual({ ok: true })
      shop.exec('commit')
      expect(await store.find('intent-1')).toEqual(intentWith())
      shop.close()
      await store.close()
    })

    test('rolls back what a handler wrote if it throws, and commits it with the mark if it does not', async () => {
      const store = sqliteJournalStore({ file: fileIn() })
      const shop = new DatabaseSync(fileIn())
      shop.exec('create table paid (key text) strict')
      await store.insert(intentWith())
      await store.update({ intent: { ...intentWith(), version: 2 }, outcomes: [outcomeWith()] })
      const [open] = await store.openOutcomes(0, 1)
      if (open === undefined) throw new Error('none')
      const write = (transaction: DatabaseSync) => transaction.exec(`insert into paid values ('${open.outcome.key}')`)
      const failing = store.deliver(open.outcome, 1, async (transaction) => {
        write(transaction)
        await Promise.resolve()
        throw new Error('the mail server is away')
      })
      await expect(failing).rejects.toThrow('mail server')
      expect(shop.prepare('select * from paid').all()).toEqual([])
      expect(await store.deliver(open.outcome, 1, write)).toBe('done')
      expect(shop.prepare('select key from paid').all()).toMatchObject([{ key: 'order-a:1' }])
      shop.close()
      await store.close()
    })

    test.skipIf(process.platform === 'win32')(
      'keeps nothing of a handler while the file has another name, and calls it again',
      async () => {
        const store = sqliteJournalStore({ file: fileIn() })
        const shop = new DatabaseSync(fileIn())
        shop.exec('create table paid (key text) strict')
        const [outcome] = await withOutcomes(store, 'a')
        if (outcome === undefined) throw new Error('none')
        const write = (transaction: DatabaseSync) => transaction.exec('insert into paid values (1)')
        const away = inFolder('away.db')
        renameSync(fileIn(), away)
        await expect(store.deliver(outcome, 1, write)).rejects.toThrow('was removed or replaced')
        renameSync(away, fileIn())
        expect(shop.prepare('select * from paid').all()).toEqual([])
        expect(await store.deliver(outcome, 1, write)).toBe('done')
        expect(shop.prepare('select * from paid').all()).toHaveLength(1)
        shop.close()
        await store.close()
      },
    )

    test('tells a handler that waits for the journal that it would wait for itself', async () => {
      const store = sqliteJournalStore({ file: fileIn() })
      await store.insert(intentWith())
      await store.update({ intent: { ...intentWith(), version: 2 }, outcomes: [outcomeWith()] })
      const [open] = await store.openOutcomes(0, 1)
      if (open === undefined) throw new Error('none')
      const waiting = store.deliver(open.outcome, 1, async () => void (await store.wake('order-a', 1)))
      await expect(waiting).rejects.toThrow('must not wait for the journal')
      await store.close()
    })

    test('accepts a write that a handler has begun, and that goes on after it', async () => {
      const store = sqliteJournalStore({ file: fileIn() })
      const [outcome] = await withOutcomes(store, 'a')
      if (outcome === undefined) throw new Error('none')
      const ended = Promise.withResolvers<void>()
      let later: Promise<unknown> = Promise.resolve()
      await store.deliver(outcome, 1, () => {
        later = ended.promise.then(() => store.insert(intentWith()))
      })
      ended.resolve()
      expect(await later).toEqual({ ok: true })
      await store.close()
    })

    test('delivers the next outcome even if a handler has closed its connection', async () => {
      const store = sqliteJournalStore({ file: fileIn() })
      const [one, other] = await withOutcomes(store, 'a', 'b')
      if (one === undefined || other === undefined) throw new Error('none')
      await expect(store.deliver(one, 1, (transaction) => transaction.close())).rejects.toThrow('not open')
      expect(await store.deliver(other, 1, () => {})).toBe('done')
      expect(await store.deliver(one, 1, () => {})).toBe('done')
      await store.close()
    })
  })
})
