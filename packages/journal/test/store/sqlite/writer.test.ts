import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openConnection, whenFree } from '../../../src/store/sqlite/connection.ts'
import { hasJournal } from '../../../src/store/sqlite/migrate.ts'
import { sqliteJournalStore } from '../../../src/store/sqlite/sqlite-journal-store.ts'
import { Writer } from '../../../src/store/sqlite/writer.ts'
import { intentWith } from '../../intents.ts'
import { ownFolder } from '../../own-folder.ts'

const inFolder = ownFolder()

/** A file that the merchant's transaction `own` holds. A writer waits in pauses of this length; `onPause` may end `own`. */
function heldFile(pauseMs: number, onPause: (own: DatabaseSync, pauses: number) => void = () => {}) {
  const file = inFolder('shop.db')
  const connection = openConnection(file)
  connection.database.exec('create table paid (invoice text)')
  const own = new DatabaseSync(file)
  own.exec('begin immediate')
  const time = { now: 0, pauses: 0 }
  const writer = new Writer(connection, {
    now: () => time.now,
    pause: async () => {
      time.pauses++
      time.now += pauseMs
      onPause(own, time.pauses)
    },
    fraction: () => 0,
  })
  const write = (statement = "insert into paid values ('77')") => writer.run(({ database }) => database.exec(statement))
  const close = () => {
    for (const database of [own, connection.database]) database.close()
  }
  return { file, own, time, write, close, database: connection.database }
}

test('A write that waits for the merchant’s own transaction fails after twenty seconds of the clock, and says what to do', async () => {
  const { file, own, time, write, close } = heldFile(5000)
  await expect(write()).rejects.toThrow(
    `${file} has been held by another transaction for 20 s: end yours before you wait for the journal; what belongs to an outcome ` +
      "is written by the handler's transaction",
  )
  expect(time).toEqual({ now: 20_000, pauses: 4 })
  own.exec('commit')
  await write()
  expect(own.prepare('select invoice from paid').all()).toMatchObject([{ invoice: '77' }])
  close()
})

test('All writes that waited for it fail together', async () => {
  const { time, write, close } = heldFile(5000)
  const ended = await Promise.allSettled([write(), write(), write()])
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(time).toEqual({ now: 20_000, pauses: 4 })
  close()
})

test('A file that is released in time is written to', async () => {
  const { own, time, write, close } = heldFile(1, (held, pauses) => {
    if (pauses === 2) held.exec('commit')
  })
  await write()
  expect(time).toEqual({ now: 2, pauses: 2 })
  expect(own.prepare('select invoice from paid').all()).toHaveLength(1)
  close()
})

test('A held file is waited for in Deno as well, where errors of `exec` have no SQLite code', async () => {
  const { own, time, write, close, database } = heldFile(5, (held, pauses) => {
    if (pauses === 3) held.exec('commit')
  })
  const exec = database.exec.bind(database)
  database.exec = (sql) => {
    try {
      exec(sql)
    } catch (error) {
      throw new Error((error as Error).message)
    }
  }
  await write()
  expect(time.pauses).toBe(3)
  expect(own.prepare('select invoice from paid').all()).toHaveLength(1)
  close()
})

test('Of many writes made together, one that fails leaves the others as they are', async () => {
  const { own, write, close } = heldFile(1, (held) => held.exec('commit'))
  const ended = await Promise.allSettled([write(), write('insert into lost values (1)'), write()])
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(own.prepare('select invoice from paid').all()).toHaveLength(2)
  close()
})

/** Another process that has locked a file, until it is told to end. */
async function heldElsewhere() {
  const file = inFolder('shop.db')
  const program = `const own = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)})
    own.exec('begin exclusive; create table paid (invoice text)')
    console.log('held')
    process.stdin.once('data', () => { own.exec('commit'); own.close(); process.exit() })`
  const child = spawn(process.execPath, ['--no-warnings', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return { file, pid: child.pid, release: () => void child.stdin.write('end\n') }
}

test('[F-C12] a journal waits for a file that another process has locked without blocking the event loop', async () => {
  const { file, release } = await heldElsewhere()
  const store = sqliteJournalStore({ file })
  let turns = 0
  const insert = store.insert(intentWith())
  const counting = setInterval(() => {
    turns += 1
    // Who blocks the event loop never comes here, and the lock never ends.
    if (turns === 20) release()
  })
  expect(await insert).toEqual({ ok: true })
  clearInterval(counting)
  expect(turns).toBeGreaterThanOrEqual(20)
  await store.close()
})

test('[F-C12] a file that stays locked is an error that names the process', { timeout: 30_000 }, async () => {
  const { file, pid } = await heldElsewhere()
  const time = { now: 0 }
  const waits = {
    now: () => time.now,
    pause: async () => {
      time.now += 5000
    },
    fraction: () => 0,
  }
  const opening = whenFree(() => openConnection(file), waits)
  const holder = process.platform === 'linux' ? `process ${pid} (` : 'another process'
  await expect(opening).rejects.toThrow(`cannot open ${file} (database is locked); ${holder}`)
  await expect(whenFree(() => hasJournal(file), waits)).rejects.toThrow('keeps it for itself: end that first')
  expect(time.now).toBe(40_000)
})
