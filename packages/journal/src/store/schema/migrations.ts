import {
  createVersionTable,
  type DialectName,
  type Migration,
  newestStep,
  noteOf,
  type PresentVersion,
  presentVersionOf,
  stepsAfter,
} from '@tallystick/durable/schema'
import { type CompiledQuery, sql } from 'kysely'
import { change, one, type Work } from '../statements/work.ts'
import { first } from './0001-first.ts'
import { queries } from './tables.ts'

/** All steps in order. The version of each is its place, from 1. */
export const MIGRATIONS: readonly Migration[] = [first]

export const TABLES = [
  'journal_intents',
  'journal_outcomes',
  'journal_orphan_orders',
  'journal_gateway_answers',
  'journal_version',
] as const

/**
 * Made with the tables, and of another kind: what drops all tables that it does not know leaves it. So a journal whose tables are gone
 * is told from a new one. In PostgreSQL a function of this name in their schema, in MySQL a procedure, in SQLite the `application_id`
 * of the file.
 */
export const MARKER = 'journal_tables_were_made'

const SAYS = sql.lit('the tables of @tallystick/journal were made in this schema: if they are gone, it stops')

/** Makes the marker. SQLite has none in plain SQL: a file of the shop may have an id of its own, which stays. */
export function marker(dialect: DialectName): readonly CompiledQuery[] {
  switch (dialect) {
    case 'sqlite':
      return []
    case 'postgresql': {
      const made = sql`create or replace function ${sql.id(MARKER)}() returns text language sql immutable as
  'select '${SAYS}''`
      return [made.compile(queries.postgresql)]
    }
    case 'mysql':
      return [sql`create procedure ${sql.id(MARKER)}() comment ${SAYS} select 1`.compile(queries.mysql)]
  }
}

/** The name of a step's file under `sql/`. */
export function fileNameOf({ version, name }: Migration): string {
  return `${String(version).padStart(4, '0')}-${name}.sql`
}

/** A step as plain SQL, for shops that create the tables themselves. */
export function sqlOf(migration: Migration, dialect: DialectName): string {
  const lines = statementsOf(migration, dialect).map((statement) => `${statement};\n`)
  if (dialect === 'mysql') return ['-- Tables of @tallystick/journal, for MySQL and MariaDB.\n', ...lines].join('\n')
  return ['-- Tables of @tallystick/journal. Run it in one transaction.\n', 'begin;\n', ...lines, 'commit;\n'].join(
    '\n',
  )
}

/**
 * The statements of a step, without parameters. They belong into one transaction; MySQL, which has none around them, commits after
 * each, so that the note comes last.
 */
export function statementsOf(migration: Migration, dialect: DialectName): readonly string[] {
  const versions = versionsIn(dialect)
  const [table, marked] = migration.version === 1 ? [[createVersionTable(versions)], marker(dialect)] : [[], []]
  const [step, note] = [migration.statements(dialect), noteOf(migration, versions)]
  const all = dialect === 'mysql' ? [...table, ...step, ...marked, note] : [...table, ...marked, ...step, note]
  return all.map(withValues)
}

/** Only the note that a step was taken has parameters: numbers, and a name of ours. */
function withValues({ sql, parameters }: CompiledQuery): string {
  const values = [...parameters]
  return sql.replaceAll(/\?|\$\d+/g, () => {
    const value = values.shift()
    return typeof value === 'number' ? String(value) : `'${String(value)}'`
  })
}

const versionsIn = (dialect: DialectName) => ({ dialect, table: 'journal_version' })

export function* presentVersion(dialect: DialectName): Work<PresentVersion> {
  return presentVersionOf(yield* one(newestStep(versionsIn(dialect))))
}

/**
 * The statements that bring the tables to the newest version. Tables of a later version stay as they are, if its steps say that
 * this version can work with them.
 *
 * @throws Error if it cannot
 */
export function* upgradeFrom(
  present: PresentVersion,
  dialect: DialectName,
  migrations: readonly Migration[] = MIGRATIONS,
): Work<void> {
  const { version, worksWith } = present
  if (worksWith > migrations.length) {
    throw new Error(`The journal has version ${version}, and this package knows ${migrations.length}: take a later one`)
  }
  const versions = versionsIn(dialect)
  // MySQL has no transaction around them: there the marker comes when the tables are there.
  const isMarked = dialect === 'postgresql'
  const tables = version === 0 ? [createVersionTable(versions), ...(isMarked ? marker(dialect) : [])] : []
  for (const statement of [...tables, ...stepsAfter(present, migrations, versions).flat()]) yield* change(statement)
}

/** Tables of a later version may be usable as well. */
export function isUsable({ version, worksWith }: PresentVersion, migrations: readonly Migration[]): boolean {
  return version >= migrations.length && worksWith <= migrations.length
}
