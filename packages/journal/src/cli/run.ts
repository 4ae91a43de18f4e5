import type { Intent } from '@tallystick/client/ports'
import { orderOf, settlingOf } from '../events.ts'
import { type JournalReport, reportOf } from '../outcomes/report.ts'
import { systemClock } from '../runtime/system.ts'
import { MIGRATIONS, sqlOf } from '../store/schema/migrations.ts'
import { openConnection, whenFree } from '../store/sqlite/connection.ts'
import { migrate } from '../store/sqlite/migrate.ts'
import { type Command, HELP, type Place } from './arguments.ts'
import { writeMigration } from './migration.ts'
import { nameOf, type ServerPlace, serverOf, withJournal } from './open-journal.ts'
import { settle, type Terminal } from './settle.ts'
import { line, show } from './show.ts'

/** Runs a command; gives what it prints. */
export async function run(command: Command, terminal: Terminal = {}): Promise<string> {
  switch (command.name) {
    case 'help':
      return HELP
    case 'sql':
      return MIGRATIONS.map((migration) => sqlOf(migration, command.dialect)).join('\n')
    case 'migration':
      return writeMigration(command, { folder: process.cwd(), now: systemClock.now() })
    case 'migrate':
      return await migrated(command)
    case 'report':
      return await report(command.place, command.isJson)
    case 'show':
      return await show(command)
    case 'settle':
      return await settle(command, terminal)
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

async function migratedDatabase(place: ServerPlace, isAnew: boolean): Promise<number> {
  const { migrateDatabase } = await serverOf(place)
  return await migrateDatabase(place.url.href, { schema: place.schema, isAnew })
}

async function report(place: Place, isJson: boolean): Promise<string> {
  return await withJournal(place, async (store) => {
    const found = await reportOf(store)
    return isJson ? `${JSON.stringify(found, undefined, 2)}\n` : reportText(found)
  })
}

/** A report for a terminal. */
function reportText(report: JournalReport): string {
  const { unknown, open, review, differingAmounts, presumedAbsent, notSent, suspectedDoubles, orphans, openOutcomes } =
    report
  const counts = Object.entries(report.counts).map(([state, count]) => `${state} ${count}`)
  return [
    `intents: ${counts.join(', ') || 'none'}`,
    section('double charge suspected', suspectedDoubles),
    section('differing amounts', differingAmounts),
    section('in review', review),
    section('unknown', unknown),
    section('accepted, without an outcome', open),
    section('presumed absent', presumedAbsent),
    section('never sent', notSent),
    `callbacks of unknown orders: ${orphans.length}`,
    ...orphans.map(({ clientOrderId, orderId, callbacks }) =>
      line(`  ${clientOrderId}  order ${orderId}  ${callbacks} times`),
    ),
    `outcomes that the handler was not called with: ${openOutcomes}`,
    '',
  ].join('\n')
}

function section(title: string, intents: readonly Intent[]): string {
  return [`${title}: ${intents.length}`, ...intents.map((intent) => line(shown(intent)))].join('\n')
}

function shown(intent: Intent): string {
  const { intentId, state, reviewReason, evidence } = intent
  const last = evidence.at(-1)
  const names = orderOf(intent)
  const seen = last === undefined ? '' : `; ${new Date(last.at).toISOString()} ${last.seen}`
  if (state !== 'REVIEW') return `  ${names}: ${state}${seen}`
  return `  ${names}: ${reviewReason}${seen}; ${settlingOf(intentId)}`
}
