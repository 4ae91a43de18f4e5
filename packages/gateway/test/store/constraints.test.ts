import { DatabaseSync } from 'node:sqlite'
import { sqlConstraints } from '@tallystick/core/internal'
import { expect, test } from 'vitest'
import { postgresDatabase } from './postgres-database.ts'
import { sqliteFile } from './sqlite-file.ts'

/**
 * A released migration step never changes. Rules that have changed since need a step of their own, or existing databases refuse
 * what the rules allow.
 */
const BY_THE_RULES = Object.fromEntries(
  Object.values(sqlConstraints())
    .flat()
    .map(({ name, expression }) => [name, wordsOf(expression)]),
)

/** The columns and values of an expression. PostgreSQL rewrites everything else in it. */
function wordsOf(expression: string): string {
  const words = expression.match(/\b[a-z][a-z_-]+/g) ?? []
  return words.filter((word) => word !== 'text').join(' ')
}

test('a new file has the constraints of the rules: a change of the rules needs a migration', async () => {
  const { file, open, remove } = sqliteFile()
  await open().store.close()
  const database = new DatabaseSync(file)
  const tables = database.prepare("SELECT sql FROM sqlite_schema WHERE name IN ('orders', 'operations')").all()
  database.close()
  remove()
  const checks = tables.flatMap(({ sql }) => [
    ...String(sql).matchAll(/constraint "(\w+)" check \((.*?)\)(?=,|\) strict)/g),
  ])
  const read = checks.map(([, name, expression = '']) => [name, wordsOf(expression)])
  expect(Object.fromEntries(read)).toEqual(BY_THE_RULES)
})

test('a new schema has the constraints of the rules: a change of the rules needs a migration', async () => {
  const database = await postgresDatabase()
  const schema = database.newSchema()
  await database.node(schema)
  const checks = await database.ask(`
    SELECT conname AS name, pg_get_constraintdef(oid) AS expression FROM pg_constraint
    WHERE contype = 'c' AND conrelid IN ('${schema}.orders'::regclass, '${schema}.operations'::regclass)`)
  await database.close()
  const read = checks.map(({ name, expression }) => [String(name), wordsOf(String(expression))])
  expect(Object.fromEntries(read)).toEqual(BY_THE_RULES)
})
