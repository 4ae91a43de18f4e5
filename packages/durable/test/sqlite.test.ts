import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeForOwner, requireSqlite, SQLITE, setDurable, sqliteCode } from '../src/sqlite.ts'
import { ownFile } from './folder.ts'

test('A Node without node:sqlite is named, and by whom', () => {
  const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
  onTestFinished(() => builtin.mockRestore())
  expect(() => requireSqlite('sqliteStore')).toThrow(
    `sqliteStore: Node ${process.version} has no node:sqlite; it needs Node 22.19, 24.11, 26 or newer`,
  )
})

test.skipIf(process.platform === 'win32')(
  'A new file is for its owner alone, and one that is there stays as it is',
  () => {
    const file = ownFile()
    const there: string[] = []
    const before = process.umask(0o022)
    onTestFinished(() => void process.umask(before))
    makeForOwner(file, (name) => void there.push(name))
    expect([statSync(file).mode & 0o777, there]).toEqual([0o600, []])
    writeFileSync(file, 'orders')
    chmodSync(file, 0o640)
    makeForOwner(file, (name) => void there.push(name))
    expect([statSync(file).mode & 0o777, there, readFileSync(file, 'utf8')]).toEqual([0o640, [file], 'orders'])
  },
)

test('A file that cannot be made is left to SQLite to explain', () => {
  const file = join(ownFile('none'), 'store.db')
  expect(() => makeForOwner(file)).not.toThrow()
  expect(() => new DatabaseSync(file)).toThrow('unable to open database file')
})

test('Each commit is durable, readers go on beside a writer, and references must lead somewhere', () => {
  const database = new DatabaseSync(ownFile())
  onTestFinished(() => database.close())
  setDurable(database)
  const settings = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) =>
    database.prepare(`pragma ${name}`).get(),
  )
  // 2 is FULL: in a write-ahead log less than that loses what was committed last.
  expect(settings).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }])
})

test('A code of SQLite is told from its extensions, and from errors of others', () => {
  const failure = (errcode: unknown) => Object.assign(new Error('database is locked'), { errcode })
  // SQLITE_BUSY, SQLITE_BUSY_RECOVERY and SQLITE_BUSY_SNAPSHOT; and SQLITE_IOERR_READ.
  expect([5, 261, 517, 266].map((code) => sqliteCode(failure(code)))).toEqual([5, 5, 5, 10])
  expect([failure('EACCES'), new Error('lost'), { errcode: 5 }, undefined].map(sqliteCode)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})

test('An error of another realm, as jest gets it from node:sqlite, has its code', () => {
  const error: unknown = runInNewContext(`Object.assign(new Error('UNIQUE constraint failed'), { errcode: 2067 })`)
  expect(error).not.toBeInstanceOf(Error)
  expect(sqliteCode(error)).toBe(SQLITE.CONSTRAINT)
})

test('A refusal of node:sqlite has the code of its reason', () => {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec('create table orders (id integer primary key); insert into orders values (1)')
  const codeOf = (sql: string) => {
    try {
      database.prepare(sql).run()
      return undefined
    } catch (error) {
      return sqliteCode(error)
    }
  }
  expect(codeOf('insert into orders values (1)')).toBe(SQLITE.CONSTRAINT)
  expect(codeOf('insert into lost values (1)')).toBe(SQLITE.ERROR)
})
