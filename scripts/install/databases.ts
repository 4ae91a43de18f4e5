import { testDatabase } from '@tallystick/test-postgres'
import { mariaDbProgram, mariaDbServer } from '../../packages/journal/test/store/mariadb-server.ts'
import type { Environment } from './check-project.ts'
import type { Project } from './projects.ts'

/** Empty databases, as programs find them in their environment, if a project needs them. */
export async function databasesFor(projects: readonly Project[]) {
  const environment: Record<string, string> = {}
  const closers: (() => Promise<void>)[] = []
  if (projects.some(({ hasDatabases }) => hasDatabases)) {
    const { url, close } = await testDatabase()
    environment['POSTGRES_URL'] = url
    closers.push(close)
    if (mariaDbProgram === undefined) console.log('NOT RUN, as MariaDB is not installed: the journal on mysql2')
    else {
      const { fresh, stop } = await mariaDbServer(mariaDbProgram)
      environment['MARIADB_URL'] = await fresh()
      closers.push(stop)
    }
  }
  return {
    environment: environment as Environment,
    close: async () => {
      for (const close of closers) await close()
    },
  }
}
