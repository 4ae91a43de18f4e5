import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/store/sqlite/database.ts'
import { openFile, sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { failingDatabase } from '../support/failing-database.ts'
import {
  card,
  delivery,
  later,
  NOW,
  nonce,
  opening,
  operation,
  order,
  postings,
  recurring,
  reference,
  task,
  updating,
} from './changes.ts'
import { sqliteFile } from './sqlite-file.ts'
import { viewOf } from './view.ts'

let folder: ReturnType<typeof sqliteFile>
let child: ChildProcess | undefined

beforeEach(() => {
  folder = sqliteFile()
})

afterEach(() => {
  child?.kill('SIGKILL')
  child = undefined
  folder.remove()
})

const SOURCE = new URL('../../src/store/sqlite/sqlite-store.ts', import.meta.url).href

/** Starts another process that opens the file, writes an order, says so and keeps running. */
async function holdElsewhere(): Promise<ChildProcess> {
  const script = `
    import { sqliteStore } from ${JSON.stringify(SOURCE)}
    const store = sqliteStore({ file: ${JSON.stringify(folder.file)} })
    await store.commit(JSON.parse(process.argv[1], (key, value) => key === 'amount' ? BigInt(value) : value), ${NOW})
    console.log('written')
    setInterval(() => {}, 1000)`
  const change = JSON.stringify(opening(order(1)), (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const options = ['--no-warnings', '--conditions=@tallystick/source', '--input-type=module', '-e', script, change]
  const started = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  child = started
  await once(started.stdout, 'data')
  return started
}

test('what waits when a store is closed is written, even if it is more than one commit holds', async () => {
  const store = sqliteStore({ file: folder.file })
  const opened = order(1)
  await store.commit(opening(opened), NOW)
  const tasks = Array.from({ length: 600 }, (_, number) => task(opened, { id: `task ${number}` }))
  const written = tasks.map((each) => store.commit({ tasks: [each] }, NOW))
  await store.close()
  expect((await Promise.all(written)).every(({ ok }) => ok)).toBe(true)
  const again = sqliteStore({ file: folder.file })
  expect(await again.claimTasks({ now: NOW, until: NOW + 1, limit: 1000 })).toHaveLength(600)
  await again.close()
})

describe('a file that another process has', () => {
  test('is refused at once, and is free when that process was killed', async () => {
    const other = await holdElsewhere()
    const message = `${folder.file} is in use by another gateway (pid ${other.pid})`
    for (let attempt = 0; attempt < 100; attempt++) {
      expect(() => sqliteStore({ file: folder.file })).toThrow(expect.objectContaining({ code: 'IN_USE', message }))
    }
    const ended = once(other, 'exit')
    other.kill('SIGKILL')
    await ended
    const store = sqliteStore({ file: folder.file })
    expect(await store.orderById(order(1).orderId)).toEqual(order(1))
    await store.close()
  })

  test('is refused to a second store of one process, until the first is closed', async () => {
    const first = sqliteStore({ file: folder.file })
    expect(() => sqliteStore({ file: folder.file })).toThrow(`is in use by another gateway (pid ${process.pid})`)
    expect(await first.commit(opening(order(1)), NOW)).toEqual({ ok: true })
    await first.close()
    const second = sqliteStore({ file: folder.file })
    expect(await second.orderById(order(1).orderId)).toEqual(order(1))
    await second.close()
  })

  test('stays locked for other processes when a second store of this process was refused', async () => {
    const first = sqliteStore({ file: folder.file })
    expect(() => sqliteStore({ file: folder.file })).toThrow('is in use')
    const read = "new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('SELECT * FROM orders')"
    const other = spawnSync(process.execPath, ['-e', read, folder.file], { encoding: 'utf8' })
    expect(other.stderr).toContain('database is locked')
    await first.close()
  })

  test('is refused while a program reads it, which is not mistaken for the gateway that was killed', async () => {
    await sqliteStore({ file: folder.file }).close()
    const other = await holdElsewhere()
    const ended = once(other, 'exit')
    other.kill('SIGKILL')
    await ended
    expect(readFileSync(`${folder.file}.pid`, 'utf8')).toBe(`${other.pid}\n`)
    const reader = new DatabaseSync(folder.file)
    reader.exec('BEGIN; SELECT count(*) FROM orders')
    const message = `${folder.file} is in use by another process: a gateway, or a program that reads it`
    expect(() => sqliteStore({ file: folder.file })).toThrow(expect.objectContaining({ code: 'IN_USE', message }))
    reader.close()
    await sqliteStore({ file: folder.file }).close()
  })

  test('cannot be written by any other program', async () => {
    const store = sqliteStore({ file: folder.file })
    const other = new DatabaseSync(folder.file)
    expect(() => other.exec('DELETE FROM orders')).toThrow('database is locked')
    other.close()
    await store.close()
  })
})

test.skipIf(process.platform === 'win32')('a new file is for its owner alone, and so is its log', async () => {
  const store = sqliteStore({ file: folder.file })
  await store.commit(opening(order(1)), NOW)
  for (const file of [folder.file, `${folder.file}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600)
  await store.close()
  chmodSync(folder.file, 0o640)
  await sqliteStore({ file: folder.file }).close()
  expect(statSync(folder.file).mode & 0o777).toBe(0o640)
})

// Node 22 and 24 read a text only up to this character. The name is sealed with the card, which would not open any more.
test('a file holds no U+0000 in its texts, even if a merchant sent one', async () => {
  const store = sqliteStore({ file: folder.file })
  await store.commit({ cards: [card('card-1', { cardholderName: 'A\0BUYER' })] }, NOW)
  await store.close()
  const file = new DatabaseSync(folder.file)
  expect(file.prepare('SELECT cardholder_name FROM cards').all()).toEqual([{ cardholder_name: 'A\uE0000BUYER' }])
  file.close()
})

// On Windows an open file cannot be removed or replaced.
describe.skipIf(process.platform === 'win32')(
  'a store is not ready, and writes nothing, once its name leads elsewhere:',
  () => {
    test.for(['', '-wal'])('the file%s is removed', async (suffix) => {
      await sqliteStore({ file: folder.file }).close()
      const store = sqliteStore({ file: folder.file })
      expect(await store.isReady()).toBe(true)
      rmSync(`${folder.file}${suffix}`)
      expect(await store.isReady()).toBe(false)
      await expect(store.commit(opening(order(1)), NOW)).rejects.toMatchObject({
        code: 'UNSOUND',
        message: expect.stringContaining(`${folder.file}${suffix} was removed or replaced`),
      })
      expect(await store.orderById(order(1).orderId)).toBeUndefined()
      await store.close()
    })

    test('another file stands in its place, until it is put back', async () => {
      const store = sqliteStore({ file: folder.file })
      await store.commit(opening(order(1)), NOW)
      const away = `${folder.file}.away`
      renameSync(folder.file, away)
      copyFileSync(away, folder.file)
      expect(await store.isReady()).toBe(false)
      await expect(store.commit(opening(order(2)), NOW)).rejects.toMatchObject({ code: 'UNSOUND' })
      renameSync(away, folder.file)
      expect(await store.isReady()).toBe(true)
      expect(await store.commit(opening(order(2)), NOW)).toMatchObject({ ok: true })
      await store.close()
    })

    test('the file is removed that its name, a link, leads to', async () => {
      const link = join(folder.folder, 'link.db')
      await sqliteStore({ file: folder.file }).close()
      symlinkSync(folder.file, link)
      const store = sqliteStore({ file: link })
      expect(await store.isReady()).toBe(true)
      rmSync(folder.file)
      expect(await store.isReady()).toBe(false)
      await store.close()
    })
  },
)

test('a file that is named relative to a folder is still found from another one', async () => {
  const script = `
    import { sqliteStore } from ${JSON.stringify(SOURCE)}
    const store = sqliteStore({ file: 'gateway.db' })
    process.chdir('/')
    console.log(await store.isReady())
    await store.close()`
  const options = ['--no-warnings', '--conditions=@tallystick/source', '--input-type=module', '-e', script]
  expect(spawnSync(process.execPath, options, { cwd: folder.folder, encoding: 'utf8' })).toMatchObject({
    stdout: 'true\n',
    stderr: '',
  })
})

describe('a file that is no store', () => {
  test('is refused when it is not a database, and left as it is', () => {
    const text = 'this is a list of groceries\n'.repeat(400)
    writeFileSync(folder.file, text)
    expect(() => sqliteStore({ file: folder.file })).toThrow(
      expect.objectContaining({ code: 'FOREIGN', message: `${folder.file} is not a database` }),
    )
    expect(readFileSync(folder.file, 'utf8')).toBe(text)
  })

  test("is refused when it is another program's", () => {
    const other = new DatabaseSync(folder.file)
    other.exec('CREATE TABLE recipes (name TEXT)')
    other.close()
    expect(() => sqliteStore({ file: folder.file })).toThrow(
      expect.objectContaining({ code: 'FOREIGN', message: `${folder.file} is a database of another program` }),
    )
  })

  test('is refused when a later version wrote it', async () => {
    await sqliteStore({ file: folder.file }).close()
    const later = new DatabaseSync(folder.file)
    later.exec("INSERT INTO schema_version VALUES (99, 'later', 99, 0)")
    later.close()
    expect(() => sqliteStore({ file: folder.file })).toThrow(
      expect.objectContaining({ code: 'NEWER', message: expect.stringContaining('version 99') }),
    )
  })

  test('is accepted when a later version wrote it that this one can work with', async () => {
    await sqliteStore({ file: folder.file }).close()
    const later = new DatabaseSync(folder.file)
    later.exec("ALTER TABLE orders ADD COLUMN note TEXT; INSERT INTO schema_version VALUES (2, 'later', 1, 0)")
    later.close()
    const store = sqliteStore({ file: folder.file })
    await store.commit(opening(order(1)), NOW)
    expect(await store.orderById(order(1).orderId)).toEqual(order(1))
    await store.close()
  })

  test('is refused when it cannot be created', () => {
    const missing = join(folder.folder, 'missing', 'gateway.db')
    const unwritable = expect.objectContaining({ code: 'UNWRITABLE', message: expect.stringContaining(missing) })
    expect(() => sqliteStore({ file: missing })).toThrow(unwritable)
    mkdirSync(join(folder.folder, 'missing', 'gateway.db'), { recursive: true })
    expect(() => sqliteStore({ file: missing })).toThrow(unwritable)
  })

  test('is refused when the disk has no room for its tables', () => {
    const open = (file: string) => {
      const database = openFile(file)
      database.exec('PRAGMA max_page_count = 5')
      return database
    }
    const message = `${folder.file} cannot be written to: the disk is full`
    expect(() => sqliteStore({ file: folder.file, open })).toThrow(
      expect.objectContaining({ code: 'UNWRITABLE', message }),
    )
  })

  test('is refused when the process that holds it cannot be noted', () => {
    mkdirSync(`${folder.file}.pid`)
    const message = `${folder.file}.pid cannot be written to (EISDIR)`
    expect(() => sqliteStore({ file: folder.file })).toThrow(expect.objectContaining({ code: 'UNWRITABLE', message }))
  })
})

describe('a file that is not sound', () => {
  test.for([
    ['a table', 'DROP TABLE key_checks'],
    ['a column', 'ALTER TABLE orders DROP COLUMN payout_check_for'],
    ['the note of its version', 'DELETE FROM schema_version'],
  ] as const)('is refused when it lacks %s', async ([, statement]) => {
    await sqliteStore({ file: folder.file }).close()
    const other = new DatabaseSync(folder.file)
    other.exec(statement)
    other.close()
    const message = expect.stringContaining(`${folder.file} has other tables than this version of the gateway makes`)
    expect(() => sqliteStore({ file: folder.file })).toThrow(expect.objectContaining({ code: 'UNSOUND', message }))
  })

  test('is refused when its pages are damaged', async () => {
    const store = sqliteStore({ file: folder.file })
    for (let digits = 1; digits < 60; digits++) await store.commit(opening(order(digits)), NOW)
    await store.close()
    const bytes = readFileSync(folder.file)
    // Every page but the first, which says what the file is.
    for (let page = 4096; page < bytes.length; page += 4096) bytes.fill(0xee, page, page + 64)
    writeFileSync(folder.file, bytes)
    expect(() => sqliteStore({ file: folder.file })).toThrow(expect.objectContaining({ code: 'UNSOUND' }))
  })

  test.for<readonly [string, string, string]>([
    ['a constraint over the sums', 'PRAGMA ignore_check_constraints = ON', 'lets an order be overdrawn'],
    ['foreign keys', 'PRAGMA foreign_keys = OFF', 'foreign_keys is 0'],
    ['durability', 'PRAGMA synchronous = NORMAL', 'synchronous is 1'],
  ])('is refused when it has lost %s', ([, statement, message]) => {
    const loosened = (file: string): Database => {
      const database = openFile(file)
      const exec = (sql: string) => {
        database.exec(sql)
        if (sql.startsWith('PRAGMA wal_autocheckpoint')) database.exec(statement)
      }
      return { exec, prepare: (sql) => database.prepare(sql), close: () => database.close(), isTransaction: false }
    }
    expect(() => sqliteStore({ file: folder.file, open: loosened })).toThrow(
      expect.objectContaining({ code: 'UNSOUND', message: expect.stringContaining(message) }),
    )
  })
})

test('what waits is written when the store closes, and nothing is accepted afterwards', async () => {
  const store = sqliteStore({ file: folder.file })
  const waiting = store.commit(opening(order(1)), NOW)
  await store.close()
  expect(await waiting).toEqual({ ok: true })
  await expect(store.commit(opening(order(2)), NOW)).rejects.toMatchObject({ code: 'CLOSED' })
  expect(await store.isReady()).toBe(false)
  expect(existsSync(`${folder.file}-wal`)).toBe(false)
  expect(existsSync(`${folder.file}.pid`)).toBe(false)
  const again = sqliteStore({ file: folder.file })
  expect(await again.orderById(order(1).orderId)).toEqual(order(1))
  await again.close()
})

test('more changes than one commit holds are all written', async () => {
  const store = sqliteStore({ file: folder.file })
  const committed = await Promise.all(Array.from({ length: 1000 }, (_, at) => store.commit(opening(order(at)), NOW)))
  expect(committed.every(({ ok }) => ok)).toBe(true)
  expect(await store.recentOrders('shop', 2000)).toHaveLength(1000)
  await store.close()
})

test('changes that come in one turn share one commit', async () => {
  const disk = failingDatabase()
  const store = sqliteStore({ file: folder.file, open: disk.open })
  let commits = 0
  disk.fail(({ sql }) => {
    if (sql === 'COMMIT') commits += 1
    return false
  })
  await Promise.all(Array.from({ length: 64 }, (_, at) => store.commit(opening(order(at)), NOW)))
  expect(commits).toBe(1)
  await store.close()
})

test('the operations of an order are read once, however often it is read and changed: it may have thousands', async () => {
  const first = sqliteStore({ file: folder.file })
  await first.commit(opening(order(1)), NOW)
  await first.close()
  const disk = failingDatabase()
  const store = sqliteStore({ file: folder.file, open: disk.open })
  let reads = 0
  disk.fail(({ sql }) => {
    if (sql.startsWith('select') && sql.includes('from "operations"')) reads += 1
    return false
  })
  let current = order(1)
  for (const id of ['2', '3', '4']) {
    expect(await store.orderById(current.orderId)).toEqual(current)
    const operations = [...current.operations, operation({ id })]
    await store.commit(updating(current, { operations }), NOW)
    current = later(current, { operations })
  }
  expect(reads).toBe(1)
  await store.close()
})

test('nonces that are forgotten, a second at a time, stay refused, and nothing else is', async () => {
  const options = { spareNonces: 5 }
  let store = sqliteStore({ file: folder.file, ...options })
  const at = (second: number, name = 'a') => store.commit({ nonce: nonce(name, second) }, second * 1000)
  const start = NOW / 1000
  const ahead = start + 7200
  for (let second = 0; second < 10; second++) expect(await at(start + second)).toEqual({ ok: true })
  for (let second = 0; second < 20; second++) expect(await at(ahead + second)).toEqual({ ok: true })
  await store.close()
  const file = new DatabaseSync(folder.file)
  expect(file.prepare('SELECT count(*) AS nonces FROM nonces').get()?.['nonces']).toBe(20)
  expect(file.prepare('SELECT * FROM forgotten_nonces').all()).toEqual([
    { forgotten_from: start, forgotten_before: start + 10 },
  ])
  file.close()
  store = sqliteStore({ file: folder.file, ...options })
  for (const [second, name] of [
    [start, 'a'],
    [start + 9, 'a'],
    [start + 9, 'fresh'],
    [ahead, 'a'],
  ] as const) {
    expect(await at(second, name)).toEqual({ ok: false, conflict: 'nonce' })
  }
  expect(await at(start + 10)).toEqual({ ok: true })
  expect(await at(start - 1)).toEqual({ ok: true })
  await store.close()
})

/** Tables of few rows, a page of a list, and the schema, which is small. */
const MAY_BE_SCANNED = ['forgotten_nonces', 'probe', 'looked', 'sqlite_schema', 'schema_version']

/** Reads an index in its own order, up to a limit. */
const PAGE =
  /^SCAN orders USING (COVERING )?INDEX orders_created: .* order by "created_at" desc, "order_id" desc limit \?/

test('no statement reads a table from end to end', async () => {
  const disk = failingDatabase()
  const store = sqliteStore({ file: folder.file, open: disk.open })
  const first = order(1)
  await store.commit(
    {
      ...opening(first),
      nonce: nonce('a'),
      postings: postings(first, 5n),
      deliveries: [delivery(first)],
      tasks: [task(first)],
      doneTasks: ['none'],
      cards: [card('card-1')],
      references: [reference('1', 'card-1')],
      recurringPayment: recurring('r'),
    },
    NOW,
  )
  const claim = { now: NOW, until: NOW + 1, limit: 1 }
  await Promise.all([store.claimDeliveries(claim), store.claimTasks(claim), store.rewrapCard(card('1'), card('2'))])
  await viewOf(store, {
    logins: ['shop'],
    clientOrderIds: ['invoice-1'],
    orderIds: [first.orderId],
    serialNumbers: [operation().serialNumber],
    tokens: ['token'],
    cardIds: ['card-1'],
    referenceIds: ['1'],
  })
  await store.close()
  // The nonces are counted once, when the file is opened.
  const queries = disk.statements().filter((sql) => /^(select(?! count)|update|delete|insert)/i.test(sql))
  expect(queries.length).toBeGreaterThan(35)
  const file = new DatabaseSync(folder.file)
  const scans = queries.flatMap((sql) => {
    const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    const steps = plan.all(...Array.from({ length: sql.split('?').length - 1 }, () => null))
    return steps.flatMap(({ detail }) => {
      const table = /^SCAN (\w+)/.exec(String(detail))?.[1]
      const step = `${detail}: ${sql}`
      return table === undefined || MAY_BE_SCANNED.includes(table) || PAGE.test(step) ? [] : [step]
    })
  })
  file.close()
  expect(scans).toEqual([])
})
