import { type CompiledQuery, type CreateTableBuilder, sql } from 'kysely'
import { type DialectName, queries } from './tables.ts'

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

/**
 * Made with the tables, and of another kind: what drops all tables that it does not know leaves it. So a journal whose tables are gone
 * is told from a new one. In PostgreSQL a function of this name in their schema, in SQLite the `application_id` of the file.
 */
export const MARKER = 'journal_tables_were_made'
/** "taly" in ASCII. */
export const APPLICATION_ID = 0x74_61_6c_79

/** Makes the marker. SQLite has none in plain SQL: a file of the shop may have an id of its own, which stays. */
export function marker(dialect: DialectName): readonly CompiledQuery[] {
  if (dialect === 'sqlite') return []
  const made = sql`create or replace function ${sql.id(MARKER)}() returns text language sql immutable as
  'select ''the tables of @tallystick/journal were made in this schema: if they are gone, it stops'''`
  return [made.compile(queries.postgresql)]
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
