import { noteOf, versionTable } from '../schema/migration.ts'
import { MIGRATIONS } from '../schema/migrations.ts'
import { type DialectName, queries } from '../schema/queries.ts'
import { change, one, type Work } from './work.ts'

/** The version of tables that exist. */
export function* newestVersion(dialect: DialectName): Work<number> {
  const newest = queries[dialect].selectFrom('journal_version').select(({ fn }) => fn.max('version').as('version'))
  return (yield* one(newest.compile()))?.version ?? 0
}

/**
 * The statements that bring the tables to the newest version.
 *
 * @throws Error when a later version of this package wrote them
 */
export function* upgradeFrom(version: number, dialect: DialectName): Work<void> {
  if (version > MIGRATIONS.length) {
    throw new Error(`The journal has version ${version}, and this package knows ${MIGRATIONS.length}: take a later one`)
  }
  if (version === 0) yield* change(versionTable(dialect))
  for (const migration of MIGRATIONS.slice(version)) {
    for (const statement of migration.statements(dialect)) yield* change(statement)
    yield* change(noteOf(migration, dialect))
  }
}
