import { existsSync } from 'node:fs'
import type { JournalStore } from '@tallystick/client'
import { type ReportedStore, reportOf } from '../report.ts'
import { MIGRATIONS, sqlOf } from '../schema/migrations.ts'
import { hasJournal, migrate } from '../sqlite/migrate.ts'
import { openConnection, whenFree } from '../sqlite/open-connection.ts'
import { sqliteJournalStore } from '../sqlite/sqlite-journal-store.ts'
import { type Command, HELP, type Place } from './arguments.ts'
import { reportText } from './report-text.ts'
import { withPostgres } from './with-postgres.ts'

type PostgresPlace = Extract<Place, { readonly dialect: 'postgresql' }>

/** Runs a command; gives what it prints. */
export async function run(command: Command): Promise<string> {
  switch (command.name) {
    case 'help':
      return HELP
    case 'sql':
      return MIGRATIONS.map((migration) => sqlOf(migration, command.dialect)).join('\n')
    case 'migrate':
      return await migrated(command)
    case 'report':
      return await report(command.place, command.isJson)
  }
}

async function migrated({ place, isAnew }: Extract<Command, { readonly name: 'migrate' }>): Promise<string> {
  const before =
    place.dialect === 'sqlite'
      ? await whenFree(() => migratedFile(place.file, isAnew))
      : await migratedDatabase(place, isAnew)
  const [name, after] = [nameOf(place), MIGRATIONS.length]
  return before === after ? `${name} has version ${after} already\n` : `${name}: version ${before} to ${after}\n`
}

function migratedFile(file: string, isAnew: boolean): number {
  const connection = openConnection(file)
  const before = migrate(connection, isAnew)
  connection.database.close()
  return before
}

async function migratedDatabase({ url: { href }, schema }: PostgresPlace, isAnew: boolean): Promise<number> {
  const { migrateDatabase } = await withPostgres(() => import('../postgres/migrate-database.ts'))
  return await migrateDatabase(href, { schema, isAnew })
}

async function report(place: Place, isJson: boolean): Promise<string> {
  const store = await opened(place)
  try {
    const found = await reportOf(store)
    return isJson ? `${JSON.stringify(found, undefined, 2)}\n` : reportText(found)
  } finally {
    await store.close()
  }
}

async function opened(place: Place): Promise<ReportedStore & Pick<JournalStore, 'close'>> {
  // A misspelt name must not create an empty journal, whose report would show that all is well.
  if (place.dialect === 'sqlite') {
    if (!existsSync(place.file)) throw new Error(`there is no file ${place.file}; \`migrate\` makes one`)
    if (!(await whenFree(() => hasJournal(place.file)))) throw noJournalIn(place)
    return sqliteJournalStore({ file: place.file })
  }
  const {
    url: { href },
    schema,
  } = place
  const postgres = await withPostgres(() => import('../postgres/migrate-database.ts'))
  if (!(await postgres.hasJournal(href, { schema }))) throw noJournalIn(place)
  const { postgresJournalStore } = await import('../postgres/postgres-journal-store.ts')
  return postgresJournalStore({ connectionString: href, schema })
}

function noJournalIn(place: Place): Error {
  return new Error(`there is no journal in ${nameOf(place)}; \`migrate\` makes one`)
}

/** Without the user and the password. */
function nameOf(place: Place): string {
  return place.dialect === 'sqlite' ? place.file : `${place.url.host}${place.url.pathname}`
}
