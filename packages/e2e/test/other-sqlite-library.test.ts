import { linkSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { sqliteJournalStore } from '@tallystick/journal'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NOW, opening, order } from '../../gateway/test/store/changes.ts'
import { intentWith } from '../../journal/test/intents.ts'
import { ownFolder } from '../../journal/test/own-folder.ts'

const inFolder = ownFolder()
/** Looks take little of the time: after so many commits one has been taken. */
const PATIENCE = { timeout: 10_000, interval: 1 }

interface Connection {
  exec(sql: string): unknown
  prepare(sql: string): { all(): unknown }
  close(): unknown
}

const require = createRequire(import.meta.url)

/** The libraries that ORMs bring. */
const LIBRARIES: Readonly<Record<string, () => new (file: string) => Connection>> = {
  libsql: () => require('libsql'),
  'better-sqlite3': () => require('better-sqlite3'),
}

/** Opens a file, or the reason why the library has no binary for this machine. */
function loaded(library: () => new (file: string) => Connection): ((file: string) => Connection) | string {
  try {
    const Library = library()
    new Library(':memory:').close()
    return (file) => new Library(file)
  } catch (error) {
    return String(error)
  }
}

let intents = 0

function journalOn(file: string) {
  const store = sqliteJournalStore({ file })
  onTestFinished(() => store.close())
  const insert = () => {
    const name = `${++intents}`
    return store.insert(intentWith({ intentId: name, businessKey: name, clientOrderId: name }))
  }
  return { store, insert }
}

for (const [library, load] of Object.entries(LIBRARIES)) {
  const opens = loaded(load)
  const WITH_OTHER = new RegExp(`is also open in another SQLite library of this process \\(.*${library}.*\\)`)

  /** Another library's connection, as an ORM has it. */
  function other(file: string): Connection {
    if (typeof opens === 'string') throw new Error(opens)
    const database = opens(file)
    onTestFinished(() => void database.close())
    return database
  }

  describe.skipIf(typeof opens === 'string')(
    `${library}${typeof opens === 'string' ? `: skipped, ${opens}` : ''}`,
    () => {
      test('[F-A1] a journal refuses a file that another SQLite library of its process has open, and names it', () => {
        const file = inFolder('shop.db')
        other(file).exec('pragma journal_mode = wal; create table paid (invoice text)')
        expect(() => sqliteJournalStore({ file })).toThrow(WITH_OTHER)
        expect(() => sqliteJournalStore({ file })).toThrow('Use a file of its own here')
      })

      test('[F-A1] a journal that is closed while another SQLite library has its file leaves the log of that library alone', async () => {
        const file = inFolder('shop.db')
        const { store, insert } = journalOn(file)
        const orm = other(file)
        orm.exec('create table paid (invoice text)')
        await expect(insert()).rejects.toThrow(WITH_OTHER)
        await store.close()
        orm.exec("insert into paid values ('77')")
        const after = new DatabaseSync(file, { readOnly: true })
        expect(after.prepare('select invoice from paid').all()).toMatchObject([{ invoice: '77' }])
        after.close()
      })

      test('[F-A1] a journal refuses its next commit after another SQLite library has written to its file', async () => {
        const file = inFolder('shop.db')
        const { insert } = journalOn(file)
        expect(await insert()).toEqual({ ok: true })
        other(file).exec('create table paid (invoice text)')
        await expect(insert()).rejects.toThrow(WITH_OTHER)
        await expect(insert()).rejects.toThrow(WITH_OTHER)
      })

      for (const [kind, link] of Object.entries({ hard: linkSync, symbolic: symlinkSync })) {
        test(`[F-A1] a journal refuses to go on when another SQLite library reads its file by a ${kind} link`, async () => {
          const file = inFolder('shop.db')
          const { insert } = journalOn(file)
          link(file, inFolder('linked.db'))
          other(inFolder('linked.db')).prepare('select * from sqlite_schema').all()
          await expect.poll(() => insert().catch(String), PATIENCE).toMatch(WITH_OTHER)
        })
      }

      test('[F-A1] connections of node:sqlite and other files of the other library do not disturb a journal', async () => {
        const file = inFolder('shop.db')
        const own = new DatabaseSync(file)
        onTestFinished(() => own.close())
        const [one, two] = [journalOn(file), journalOn(file)]
        other(inFolder('shop-orm.db')).exec('pragma journal_mode = wal; create table paid (invoice text)')
        own.exec('create table paid (invoice text)')
        for (let round = 0; round < 200; round++) {
          own.exec("insert into paid values ('77')")
          expect([await one.insert(), await two.insert()]).toEqual([{ ok: true }, { ok: true }])
        }
      })

      test('[F-A1] a gateway refuses to go on when another SQLite library of its process reads its file', async () => {
        const file = inFolder('gateway.db')
        const store = sqliteStore({ file })
        onTestFinished(() => store.close())
        let orders = 0
        const commit = () => store.commit(opening(order(++orders)), NOW).catch((error: unknown) => error)
        expect(await commit()).toEqual({ ok: true })
        other(file).prepare('select * from sqlite_schema').all()
        await expect.poll(commit, PATIENCE).toMatchObject({ code: 'IN_USE' })
        expect(String(await commit())).toMatch(WITH_OTHER)
      })

      test('[F-A1] a gateway refuses a file that another SQLite library of its process has open', () => {
        const file = inFolder('gateway.db')
        other(file).exec('pragma journal_mode = wal; create table paid (invoice text)')
        expect(() => sqliteStore({ file })).toThrow(WITH_OTHER)
      })
    },
  )
}
