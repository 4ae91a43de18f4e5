import { ignore, ownPool } from '@tallystick/durable/postgres-pool'
import { SQLSTATE, serverErrorOf } from '@tallystick/durable/sqlstate'
import { readable, storableValue } from '@tallystick/durable/stored-text'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import { MARKER } from '../schema/migrations.ts'
import { type Answer, type Step, TablesGoneError, type Work } from '../statements/work.ts'

/** The type oids of our columns that are not text. */
const WHOLE_NUMBERS: ReadonlySet<number> = new Set([20, 21, 23])

/**
 * Our columns are texts and whole numbers. The numbers are times, counts and versions, which a double can hold. The types of the
 * merchant's own queries on the same connection stay as they are.
 */
const types = { getTypeParser: (oid: number) => (WHOLE_NUMBERS.has(oid) ? Number : readable) }

/** Runs a statement on a connection of its own kind. The values are texts, numbers and null. */
export type Run = (text: string, values: readonly unknown[], wants: Step['wants']) => Promise<Answer>

/** On a connection of pg. */
export function runOn(client: Client): Run {
  return async (text, values) => {
    const config: QueryConfig = { text, values: [...values], types }
    const { rows, rowCount } = await client.query(config)
    return { rows, changed: rowCount ?? 0 }
  }
}

/** Runs statements one after the other. A transaction, if there is to be one, is the caller's business. */
export async function execute<Result>(run: Run, schema: string, work: Work<Result>): Promise<Result> {
  let next = work.next()
  while (next.done !== true) next = work.next(await answer(run, schema, next.value))
  return next.value
}

async function answer(run: Run, schema: string, { query, wants }: Step): Promise<Answer> {
  try {
    return await run(inSchema(query.sql, schema), query.parameters.map(storableValue), wants)
  } catch (error) {
    throw isTableGone(error) ? new TablesGoneError(`schema ${schema}`, error) : error
  }
}

/** Whether one of our tables, or their schema, is not there. */
function isTableGone(error: unknown): boolean {
  const { code, message = '' } = serverErrorOf(error) ?? {}
  return (code === SQLSTATE.UNDEFINED_TABLE && /journal_/.test(message)) || code === SQLSTATE.INVALID_SCHEMA
}

/** A connection of pg, or a pool. */
export type Client = Pick<PoolClient, 'query'>

const TABLES = new RegExp(`"(?:journal_(?:intents|outcomes|orphan_orders|gateway_answers|version)|${MARKER})"`, 'g')

/** Names of statements with their schema: each statement is written once and runs often. */
const MOST_TEXTS = 1000
const qualified = new Map<string, string>()

/**
 * A statement of ours, with the schema before each table. So it means the same tables on every connection, whatever its
 * `search_path`: that of the merchant's transaction, for example.
 */
function inSchema(text: string, schema: string): string {
  const name = `${schema} ${text}`
  const known = qualified.get(name)
  if (known !== undefined) return known
  const made = text.replaceAll(TABLES, (table) => `${quoted(schema)}.${table}`)
  if (qualified.size < MOST_TEXTS) qualified.set(name, made)
  return made
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The journal's own connections. */
export function journalPool(connectionString: string, answerWithinMs?: number): Pool {
  return ownPool(ownConnections(connectionString, answerWithinMs))
}

const CONNECT_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 60_000
const PROBE_AFTER_MS = 10_000

/** Settings of the journal's own connections. One that has gone silent, as in a failover, is given up. */
export function ownConnections(connectionString: string, answerWithinMs = ANSWER_WITHIN_MS) {
  return {
    connectionString,
    application_name: 'tallystick-journal',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: answerWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
  }
}

/**
 * A connection that the server ends while a library has it is an `error` event, and an event that nobody listens for ends the process.
 * pg's pool listens only to those that nobody has, and not all libraries do. The statement under way, or the next one, fails as well.
 */
export function keepingErrors<Given extends Pool | undefined>(pool: Given): Given {
  if (pool === undefined) return pool
  if (pool.listenerCount('error') === 0) pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

/** Whether it looks like a pool of pg. */
export function isPool(value: unknown): value is Pool {
  return typeof value === 'object' && value !== null && 'totalCount' in value && 'connect' in value && 'on' in value
}
