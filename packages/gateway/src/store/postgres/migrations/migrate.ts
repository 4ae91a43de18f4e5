import { type CompiledQuery, sql } from 'kysely'
import type { Queries } from '../../sql/tables.ts'
import { StoreError } from '../../store-error.ts'
import { locksOf } from '../locks.ts'
import type { AskTools } from '../retry.ts'
import type { Statement } from '../statement.ts'
import { type Step, transact, type Work } from '../transaction.ts'
import { first } from './0001-first.ts'
import type { Migration } from './migration.ts'

/** In their order; the version of each is its place, from 1. */
const MIGRATIONS: readonly Migration[] = [first]

/** How long a step waits for tables that others write to, who then wait behind it. After that it is tried again. */
const LOCK_TIMEOUT: Statement = { text: "SET LOCAL lock_timeout = '2s'" }

/** How long to try again while a table is busy. */
const PATIENCE_MS = 60_000

interface Migrated {
  readonly queries: Queries
  readonly schema: string
}

/**
 * Brings the schema to the newest version, in one transaction. If nodes start at once, one does it and the others wait. A
 * later version is accepted if its last step says that gateways of this version can work on it.
 *
 * @throws StoreError if the schema is of a later version that this gateway cannot work on, or another program's
 */
export async function migrate(
  to: Migrated,
  tools: AskTools,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const opening = [locksOf(to.schema).migrating, LOCK_TIMEOUT]
  await transact(() => upgrade(to, migrations), { ...tools, opening, patienceMs: PATIENCE_MS })
}

function* upgrade({ queries, schema }: Migrated, migrations: readonly Migration[]): Work<void> {
  const { version, worksWith } = yield* presentVersion(schema)
  if (worksWith > migrations.length) {
    throw new StoreError(
      'NEWER',
      `${schema} has version ${version} of the schema, and this gateway knows ${migrations.length}: use a later gateway`,
    )
  }
  const steps = migrations.slice(version)
  if (steps.length === 0) return { keep: false, result: undefined }
  if (version === 0) yield versionTable(queries, schema).map(statementOf)
  for (const step of steps) {
    yield [...step.statements(queries, schema), noted(queries, schema, step)].map(statementOf)
  }
  return { keep: true, result: undefined }
}

function* presentVersion(schema: string): Step<{ readonly version: number; readonly worksWith: number }> {
  const [tables] = yield [
    { text: 'SELECT table_name FROM information_schema.tables WHERE table_schema = $1', values: [schema] },
  ]
  const names = tables?.rows.map((row) => row['table_name']) ?? []
  if (names.length === 0) return { version: 0, worksWith: 0 }
  if (!names.includes('schema_version')) {
    throw new StoreError('FOREIGN', `${schema} is a schema of another program`)
  }
  const [newest] = yield [
    { text: `SELECT version, works_with FROM ${schema}.schema_version ORDER BY version DESC LIMIT 1` },
  ]
  const row = newest?.rows[0]
  return { version: Number(row?.['version']), worksWith: Number(row?.['works_with']) }
}

function versionTable(queries: Queries, schema: string): CompiledQuery[] {
  return [
    queries.schema.createSchema(schema).ifNotExists().compile(),
    queries.schema
      .withSchema(schema)
      .createTable('schema_version')
      .addColumn('version', 'bigint', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('works_with', 'bigint', (column) => column.notNull())
      .compile(),
  ]
}

function noted(queries: Queries, schema: string, { version, name, worksWith }: Migration): CompiledQuery {
  return sql`insert into ${sql.id(schema, 'schema_version')} (version, name, works_with)
    values (${sql.lit(version)}, ${sql.lit(name)}, ${sql.lit(worksWith)})`.compile(queries)
}

function statementOf({ sql: text, parameters }: CompiledQuery): Statement {
  return { text, values: parameters }
}
