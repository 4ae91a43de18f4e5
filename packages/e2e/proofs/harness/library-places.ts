import type { Order } from '@tallystick/proof-kit'
import { testDatabase } from '@tallystick/test-postgres'
import { LIBRARIES, type OpenLibrary } from '../../../journal/test/store/libraries.ts'
import { mariaDbProgram, mariaDbServer } from '../../../journal/test/store/mariadb-server.ts'
import { MYSQL_LIBRARIES } from '../../../journal/test/store/mysql-libraries.ts'
import { freshSchema, runIn } from '../../../journal/test/store/postgres-schema.ts'
import type { Row } from './check-shop.ts'
import type { LibraryAt } from './shop-process.ts'

/** A library of a shop with tables of its own: `paid`, into which it books, without a unique key, so that what is booked twice shows. */
export interface LibraryPlace extends LibraryAt {
  readonly name: string
  readonly open: OpenLibrary
  /** A plain statement, not through the library. */
  readonly query: (statement: string) => Promise<readonly Row[]>
}

/** Begins the result of a proof that could not run on all libraries. */
export const notRun = mariaDbProgram === undefined ? 'NOT RUN, as MariaDB is not installed: all libraries on it; ' : ''

/** All but Prisma, whose client is generated with an engine that no registry has. */
export async function libraryPlaces(order: Order): Promise<readonly LibraryPlace[]> {
  return [...(await onPostgres(order)), ...(await onMariaDb(order))]
}

async function onPostgres({ after }: Order): Promise<readonly LibraryPlace[]> {
  const database = await testDatabase()
  after(database.close)
  return await Promise.all(
    Object.entries(LIBRARIES).map(async ([library, open]) => {
      const url = await freshSchema(database)
      await runIn(url, 'create table paid (key text, invoice text)')
      const query = async (statement: string) => rowsOf(await runIn(url, statement))
      return { server: 'PostgreSQL', library, name: library, url, open, query }
    }),
  )
}

async function onMariaDb({ after }: Order): Promise<readonly LibraryPlace[]> {
  if (mariaDbProgram === undefined) return []
  const server = await mariaDbServer(mariaDbProgram)
  after(server.stop)
  return await Promise.all(
    Object.entries(MYSQL_LIBRARIES).map(async ([library, open]) => {
      const url = await server.fresh()
      await server.runIn(url, 'create table paid (`key` varchar(100), invoice text)')
      const query = async (statement: string) => rowsOf(await server.runIn(url, statement))
      return { server: 'MariaDB', library, name: `${library} on MariaDB`, url, open, query }
    }),
  )
}

function rowsOf(rows: readonly object[]): readonly Row[] {
  return rows.map((row) => ({ ...row }))
}
