import pg from 'pg'

/** The two halves share a server, and nothing else. */
export type Urls = Readonly<Record<'gateway' | 'shop', string>>

/** What the shop's handler writes to. */
const EFFECTS = 'create table effects (key text, kind text, intent_id text, status text)'

export async function makeDatabases(server: string): Promise<Urls> {
  const urls = { gateway: urlOf(server, 'gateway'), shop: urlOf(server, 'shop') }
  for (const name of Object.keys(urls)) await run(server, `create database ${name}`)
  await run(urls.shop, EFFECTS)
  return urls
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = database
  return url.href
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}
