import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connections } from '../../src/store/postgres/connections.ts'
import { ask } from '../../src/store/postgres/retry.ts'
import { transact, type Work } from '../../src/store/postgres/transaction.ts'
import { quickTime } from '../support/quick-time.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase
let connections: Connections

beforeAll(async () => {
  database = await postgresDatabase()
  connections = database.connections()
  await database.ask('CREATE TABLE notes (note text)')
})
afterAll(async () => {
  await connections.close()
  await database.close()
})

const run = <Result>(work: () => Work<Result>) => transact(work, { connections, time: quickTime(), opening: [] })
const notes = () => database.ask('SELECT note FROM notes')
const note = (text: string) => ({ text: 'INSERT INTO notes VALUES ($1)', values: [text] })

describe('while a transaction is open', () => {
  /** What a programmer could write by going around the types. */
  const waitingFor = (other: unknown) =>
    function* (): Work<void> {
      yield [note('half')]
      yield other as never
      return { keep: true, result: undefined }
    }

  test.for([
    ['a call over the network', (): unknown => fetch('http://127.0.0.1:9/').catch(() => {})],
    ['a list of them', (): unknown => [Promise.resolve()]],
    ['nothing', (): unknown => undefined],
  ] as const)('waiting for %s fails, and nothing of it is kept', async ([, other]) => {
    await expect(run(waitingFor(other()))).rejects.toThrow('Only statements may be waited for')
    expect(await notes()).toEqual([])
  })

  test('a fault of the program rolls everything back', async () => {
    const faulty = function* (): Work<void> {
      yield [note('half')]
      throw new TypeError('a fault')
    }
    await expect(run(faulty)).rejects.toThrow('a fault')
    expect(await notes()).toEqual([])
  })
})

test('a serialization failure does not reach the caller: the work is done again', async () => {
  let tries = 0
  const work = function* (): Work<number> {
    tries += 1
    yield [note(`try ${tries}`)]
    if (tries < 3) {
      yield [{ text: "DO $$ BEGIN RAISE EXCEPTION 'collided' USING ERRCODE = '40001'; END $$" }]
    }
    return { keep: true, result: tries }
  }
  expect(await run(work)).toBe(3)
  expect(await notes()).toEqual([{ note: 'try 3' }])
})

describe('a statement that a connection has prepared, and that', () => {
  const tools = () => ({ connections, time: quickTime() })
  const prepared = { name: 'prepared', text: 'SELECT * FROM prepared' }
  const alone = async () => (await ask(prepared, tools())).rows
  const inTransaction = () =>
    run(function* () {
      const [answer] = yield [prepared]
      return { keep: true, result: answer?.rows }
    })

  beforeAll(() => database.ask("CREATE TABLE prepared (note text); INSERT INTO prepared VALUES ('kept')"))

  test.for([
    ['gives other columns now', (column: string) => database.ask(`ALTER TABLE prepared ADD COLUMN ${column} text`)],
    ['is gone, as behind a pooler', () => ask({ text: 'DEALLOCATE ALL' }, tools())],
  ] as const)('%s, is prepared anew', async ([, spoil]) => {
    for (const rows of [alone, inTransaction]) {
      await rows()
      await spoil(`for_${rows.name}`)
      expect(await rows()).toMatchObject([{ note: 'kept' }])
    }
  })
})
