import { type CompiledQuery, type CreateTableBuilder, sql } from 'kysely'
import { type DialectName, queries } from './queries.ts'

/** One step of the schema. A released step is never changed: a later change is another step. */
export interface Migration {
  readonly version: number
  readonly name: string
  /**
   * The earliest version of this package whose processes can work on the tables after this step. Steps that only add do not raise
   * it, so that old and new processes run side by side while they are replaced one after the other.
   */
  readonly worksWith: number
  readonly statements: (dialect: DialectName) => readonly CompiledQuery[]
}

/** The type of whole numbers that can hold a time. */
export function wholeOf(dialect: DialectName) {
  return dialect === 'sqlite' ? 'integer' : 'bigint'
}

/** SQLite checks types only in strict tables. */
export function strict<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
  dialect: DialectName,
) {
  return dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table
}

/** The table of the steps that were taken. */
export function versionTable(dialect: DialectName): CompiledQuery {
  const table = queries[dialect].schema
    .createTable('journal_version')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('works_with', 'integer', (column) => column.notNull())
    .addColumn('made_at', wholeOf(dialect), (column) => column.notNull())
  return strict(table, dialect).compile()
}

/** By the database's clock, so that tables made by hand have it as well. */
const NOW_MS = {
  sqlite: sql<number>`cast(strftime('%s', 'now') as integer) * 1000`,
  postgresql: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
}

/** Notes that a step was taken. */
export function noteOf({ version, name, worksWith }: Migration, dialect: DialectName): CompiledQuery {
  const values = { version, name, works_with: worksWith, made_at: NOW_MS[dialect] }
  return queries[dialect].insertInto('journal_version').values(values).compile()
}
