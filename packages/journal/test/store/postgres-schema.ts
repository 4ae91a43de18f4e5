import type { TestDatabase } from '@tallystick/test-postgres'
import pg from 'pg'

let made = 0

/** A connection string to an empty schema of the database: cheaper than a database for each test. */
export async function freshSchema({ url }: TestDatabase): Promise<string> {
  const name = `journal_${process.pid}_${++made}`
  await runIn(url, `create schema ${name}`)
  const address = new URL(url)
  address.searchParams.set('options', `-c search_path=${name}`)
  return address.href
}

/** Runs statements, and gives the rows of the last one. */
export async function runIn(connectionString: string, statements: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    // For several statements, pg gives a list of results.
    const results = [await client.query(statements)].flat()
    return results.at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}
