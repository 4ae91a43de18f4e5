import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg, { type Client } from 'pg'
import { sharedServer } from './shared-server.ts'

export interface TestDatabase {
  /** Connection string of a fresh, empty database. */
  readonly url: string
  /** Drops the database, with the sessions that are still connected to it a second later. */
  close(): Promise<void>
}

/** An empty database on a server that all tests of this checkout share. It starts with the first one and ends after the last. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await sharedServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  // To copy the files is cheaper than to write every page of them to the log.
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name} STRATEGY = file_copy`))
  const url = new URL(server)
  url.pathname = name
  const close = () =>
    onServer(server, async (client) => {
      await left(client, name)
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    })
  return { url: url.href, close }
}

/**
 * Waits a little for sessions that are ending. A pool of pg reports its end as soon as it has sent the message. If the server
 * dropped the session earlier, the pool would throw in the middle of another test.
 */
async function left(client: Client, name: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const { rowCount } = await client.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [name])
    if (rowCount === 0) return
    await wait(25)
  }
}

async function onServer(server: string, act: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}
