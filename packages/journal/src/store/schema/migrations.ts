import type { CompiledQuery } from 'kysely'
import { change, one, type Work } from '../statements/work.ts'
import { first } from './0001-first.ts'
import { type Migration, marker, noteOf, versionTable } from './migration.ts'
import { type DialectName, queries } from './tables.ts'

/** All steps in order. The version of each is its place, from 1. */
export const MIGRATIONS: readonly Migration[] = [first]

/** The name of a step's file under `sql/`. */
export function fileNameOf({ version, name }: Migration): string {
  return `${String(version).padStart(4, '0')}-${name}.sql`
}

/** A step as plain SQL, for shops that create the tables themselves. */
export function sqlOf(migration: Migration, dialect: DialectName): string {
  const statements = [
    versionTable(dialect),
    ...marker(dialect),
    ...migration.statements(dialect),
    noteOf(migration, dialect),
  ]
  const lines = statements.map((statement) => `${withValues(statement)};\n`)
  return ['-- Tables of @tallystick/journal. Run it in one transaction.\n', 'begin;\n', ...lines, 'commit;\n'].join(
    '\n',
  )
}

/** Only the note that a step was taken has parameters: numbers, and a name of ours. */
function withValues({ sql, parameters }: CompiledQuery): string {
  const values = [...parameters]
  return sql.replaceAll(/\?|\$\d+/g, () => {
    const value = values.shift()
    return typeof value === 'number' ? String(value) : `'${String(value)}'`
  })
}

/** The version of tables that exist, and the earliest version of this package that can work on them. */
export interface PresentVersion {
  readonly version: number
  readonly worksWith: number
}

/** There are no tables yet. */
export const NO_VERSION: PresentVersion = { version: 0, worksWith: 0 }

export function* presentVersion(dialect: DialectName): Work<PresentVersion> {
  const newest = queries[dialect]
    .selectFrom('journal_version')
    .select(['version', 'works_with'])
    .orderBy('version', 'desc')
    .limit(1)
  const row = yield* one(newest.compile())
  return row === undefined ? NO_VERSION : { version: row.version, worksWith: row.works_with }
}

/** When the tables were made. Without a note of it: just now, so that whatever they do not know is asked for. */
export function* madeAt(dialect: DialectName): Work<number> {
  const made = queries[dialect].selectFrom('journal_version').select('made_at').orderBy('made_at').limit(1)
  return (yield* one(made.compile()))?.made_at ?? Number.POSITIVE_INFINITY
}

/**
 * The statements that bring the tables to the newest version. Tables of a later version stay as they are, if its steps say that
 * this version can work with them.
 *
 * @throws Error if it cannot
 */
export function* upgradeFrom(
  { version, worksWith }: PresentVersion,
  dialect: DialectName,
  migrations: readonly Migration[] = MIGRATIONS,
): Work<void> {
  if (worksWith > migrations.length) {
    throw new Error(`The journal has version ${version}, and this package knows ${migrations.length}: take a later one`)
  }
  if (version === 0) {
    yield* change(versionTable(dialect))
    for (const statement of marker(dialect)) yield* change(statement)
  }
  for (const migration of migrations.slice(version)) {
    for (const statement of migration.statements(dialect)) yield* change(statement)
    yield* change(noteOf(migration, dialect))
  }
}
