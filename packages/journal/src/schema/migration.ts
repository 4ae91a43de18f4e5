import { type CompiledQuery, type CreateTableBuilder, sql } from 'kysely'
import { type DialectName, queries } from './queries.ts'

/** One step of the schema. A step that was released is never changed: what comes later is another step. */
export interface Migration {
  readonly version: number
  readonly name: string
  /**
   * The earliest version of this package whose processes can work on the tables after this step. Steps that only add keep it,
   * so that old and new processes run side by side while one after the other is replaced.
   */
  readonly worksWith: number
  readonly statements: (dialect: DialectName) => readonly CompiledQuery[]
}

/** Whole numbers that hold a time. */
export function wholeOf(dialect: DialectName) {
  return dialect === 'sqlite' ? 'integer' : 'bigint'
}

/** SQLite checks types only where it is told to. */
export function strict<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
  dialect: DialectName,
) {
  return dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table
}

/** The table that tells which steps were taken. */
export function versionTable(dialect: DialectName): CompiledQuery {
  const table = queries[dialect].schema
    .createTable('journal_version')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('works_with', 'integer', (column) => column.notNull())
  return strict(table, dialect).compile()
}

/** Notes that a step was taken. */
export function noteOf({ version, name, worksWith }: Migration, dialect: DialectName): CompiledQuery {
  return queries[dialect].insertInto('journal_version').values({ version, name, works_with: worksWith }).compile()
}
