import { reportOf } from '../report.ts'
import { MIGRATIONS, sqlOf } from '../schema/migrations.ts'
import { openConnection } from '../sqlite/connection.ts'
import { migrate } from '../sqlite/migrate.ts'
import { sqliteJournalStore } from '../sqlite/sqlite-journal-store.ts'
import { type Command, HELP } from './arguments.ts'
import { reportText } from './report-text.ts'

/** Runs a command; gives what it prints. */
export async function run(command: Command): Promise<string> {
  switch (command.name) {
    case 'help':
      return HELP
    case 'sql':
      return MIGRATIONS.map((migration) => sqlOf(migration, command.dialect)).join('\n')
    case 'migrate':
      return migrated(command.file)
    case 'report':
      return await report(command.file, command.isJson)
  }
}

function migrated(file: string): string {
  const connection = openConnection(file)
  try {
    const before = migrate(connection)
    const after = MIGRATIONS.length
    return before === after ? `${file} has version ${after} already\n` : `${file}: version ${before} to ${after}\n`
  } finally {
    connection.database.close()
  }
}

async function report(file: string, isJson: boolean): Promise<string> {
  const store = sqliteJournalStore({ file })
  try {
    const found = await reportOf(store)
    return isJson ? `${JSON.stringify(found, undefined, 2)}\n` : reportText(found)
  } finally {
    await store.close()
  }
}
