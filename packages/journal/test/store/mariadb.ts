import { afterAll, beforeAll, describe } from 'vitest'
import { mariaDbProgram, mariaDbServer } from './mariadb-server.ts'

/** As `describe`, where MariaDB is installed. Else the tests are counted as skipped. */
export const describeMariaDb = mariaDbProgram === undefined ? describe.skip : describe

type Server = Awaited<ReturnType<typeof mariaDbServer>>

/** A server for the tests of a file, with a database for each that asks for one. */
export function mariaDb(): Omit<Server, 'stop'> {
  let server: Server | undefined
  const running = (): Server => {
    if (server === undefined) throw new Error('MariaDB does not run')
    return server
  }
  beforeAll(async () => {
    if (mariaDbProgram !== undefined) server = await mariaDbServer(mariaDbProgram)
  }, 60_000)
  afterAll(() => server?.stop())
  return {
    fresh: () => running().fresh(),
    runIn: (url, statements) => running().runIn(url, statements),
    cut: (url) => running().cut(url),
  }
}
