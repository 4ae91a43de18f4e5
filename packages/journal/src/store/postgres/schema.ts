import type { PoolClient } from 'pg'
import { MARKER } from '../schema/migration.ts'

/** A connection of pg, or a pool. */
export type Client = Pick<PoolClient, 'query'>

const TABLES = new RegExp(`"(?:journal_(?:intents|outcomes|stray_orders|gateway_answers|version)|${MARKER})"`, 'g')

/** Names of statements with their schema: each statement is written once and runs often. */
const MOST_TEXTS = 1000
const qualified = new Map<string, string>()

/**
 * A statement of ours, with the schema before each table. So it means the same tables on every connection, whatever its
 * `search_path`: that of the merchant's transaction, for example.
 */
export function inSchema(text: string, schema: string): string {
  const name = `${schema} ${text}`
  const known = qualified.get(name)
  if (known !== undefined) return known
  const made = text.replaceAll(TABLES, (table) => `${quoted(schema)}.${table}`)
  if (qualified.size < MOST_TEXTS) qualified.set(name, made)
  return made
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** How the path of a connection looks to the server. */
interface Path {
  readonly path: string
  /** The schemas of it that exist and may be used, in order. */
  readonly there: string
  /** The one that has our tables. */
  readonly tables: string | null
}

const PATH = `select current_setting('search_path') as path, array_to_json(current_schemas(false))::text as there,
  (select nspname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where relname = 'journal_version' and pg_catalog.pg_table_is_visible(c.oid)) as tables`

/**
 * The schema of the tables: the one by option, else the first one of the connection's `search_path`, or the one in it that has
 * them.
 *
 * @throws Error if a schema that the path names is not there: PostgreSQL would silently take the next one, where there are no tables
 *   yet, and the journal would have forgotten what it has sent
 */
export async function schemaOf(client: Client, option: string | undefined): Promise<string> {
  if (option !== undefined) return option
  const { rows } = await client.query<Path>(PATH)
  const { path = '', there = '[]', tables = null } = rows[0] ?? {}
  const schemas = JSON.parse(there) as readonly string[]
  const schema = tables ?? schemas[0]
  const before = namesOf(path)
  const named = schema === undefined ? before : before.slice(0, Math.max(0, before.indexOf(schema)))
  const missing = named.find((name) => !schemas.includes(name))
  if (schema !== undefined && missing === undefined) return schema
  throw new Error(
    `postgresJournalStore: the search_path of the connection is ${path}, and there is no schema ${missing ?? 'of it'}, or the role ` +
      "may not use it. Correct the name, make the schema, or give the store its own: schema: 'payments'",
  )
}

/** The names of a path, without that of the role, which need not exist, and those of PostgreSQL. */
function namesOf(path: string): readonly string[] {
  const names = path.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? []
  return names
    .map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))
    .filter((name) => name !== '$user' && !name.startsWith('pg_'))
}
