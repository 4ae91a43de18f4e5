import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { sharedServer } from './shared-server.ts'

export interface TestDatabase {
  /** Connection string of a fresh, empty database. */
  readonly url: string
  /** Drops the database, and whatever is still connected to it. */
  close(): Promise<void>
}

/** An empty database on a server that all tests of this machine share; it starts with the first of them and ends after the last. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await sharedServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await order(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = name
  return { url: url.href, close: () => order(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

async function order(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
