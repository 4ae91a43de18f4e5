import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import {
  compilers,
  createVersionTable,
  type Migration,
  NO_VERSION,
  newestStep,
  presentVersionOf,
  stepsAfter,
  strict,
  wholeOf,
} from '../src/schema.ts'

interface Tables {
  readonly orders: { readonly id: string; readonly at: number }
}

const queries = compilers<Tables>()

/** A step that makes a table, or adds a column to it, and can be worked on by this version. */
const step = (version: number, worksWith: number): Migration => ({
  version,
  name: `step ${version}`,
  worksWith,
  statements: (dialect, schema) => {
    const within = schema === undefined ? queries[dialect] : queries[dialect].withSchema(schema)
    if (version > 1) return [within.schema.alterTable('orders').addColumn(`note_${version}`, 'text').compile()]
    const table = within.schema.createTable('orders').addColumn('id', 'text').addColumn('at', wholeOf(dialect))
    return [strict(table, dialect).compile()]
  },
})

const STEPS = [step(1, 1), step(2, 1), step(3, 3)]
const SQLITE = { dialect: 'sqlite', table: 'versions' } as const
const POSTGRESQL = { dialect: 'postgresql', table: 'versions', schema: 'shop' } as const

function newFile() {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  const run = ({ sql: text, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) =>
    database.prepare(text).all(...(parameters as string[]))
  const present = () => presentVersionOf(run(newestStep(SQLITE))[0])
  const upgrade = (migrations: readonly Migration[]) => {
    for (const statement of stepsAfter(present(), migrations, SQLITE).flat()) run(statement)
  }
  run(createVersionTable(SQLITE))
  return { run, present, upgrade }
}

test('Tables without a noted step have no version', () => {
  expect(newFile().present()).toEqual(NO_VERSION)
})

test('Only steps that were not taken yet are taken, each with its note', () => {
  const { run, present, upgrade } = newFile()
  upgrade(STEPS.slice(0, 1))
  expect(present()).toEqual({ version: 1, worksWith: 1 })
  upgrade(STEPS)
  expect(present()).toEqual({ version: 3, worksWith: 3 })
  expect(stepsAfter(present(), STEPS, SQLITE)).toEqual([])
  const noted = sql<{ at: number }>`select version, name, works_with, made_at from versions`.compile(queries.sqlite)
  const rows = run(noted)
  expect(rows).toMatchObject([
    { version: 1, name: 'step 1', works_with: 1 },
    { version: 2, name: 'step 2', works_with: 1 },
    { version: 3, name: 'step 3', works_with: 3 },
  ])
  for (const { made_at } of rows) expect(Math.abs(Number(made_at) - Date.now())).toBeLessThan(60_000)
  const columns = sql`select name from pragma_table_info('orders')`.compile(queries.sqlite)
  expect(run(columns).map(({ name }) => name)).toEqual(['id', 'at', 'note_2', 'note_3'])
})

test('A table of SQLite is strict, and one that exists is not made again', () => {
  const { run, upgrade } = newFile()
  run(createVersionTable(SQLITE))
  upgrade(STEPS)
  const insert = (at: number | string) =>
    run(
      queries.sqlite
        .insertInto('orders')
        .values({ id: '1', at: at as number })
        .compile(),
    )
  expect(() => insert('noon')).toThrow('cannot store TEXT value in INTEGER column')
  expect(insert(1)).toEqual([])
})

test('In PostgreSQL every statement names the schema that is given', () => {
  const statements = [
    createVersionTable(POSTGRESQL),
    newestStep(POSTGRESQL),
    ...stepsAfter(NO_VERSION, STEPS, POSTGRESQL).flat(),
  ]
  expect(statements).toHaveLength(8)
  for (const each of statements) expect(each.sql).toMatch(/"shop"\."(?:versions|orders)"/)
  expect(statements.map((each) => each.sql).join()).not.toContain('strict')
})

test('Versions are read whatever numbers a driver gives', () => {
  expect(presentVersionOf({ version: 2n, works_with: '1' })).toEqual({ version: 2, worksWith: 1 })
})
