import type { CompiledQuery } from 'kysely'
import { first } from './0001-first.ts'
import { type Migration, marker, noteOf, versionTable } from './migration.ts'
import type { DialectName } from './queries.ts'

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
