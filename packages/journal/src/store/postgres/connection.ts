import { ownPool } from '@tallystick/durable/postgres-pool'
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

/** Runs statements one after the other. A transaction, if there is to be one, is the caller's business. */
export async function perform<Result>(client: Client, schema: string, work: Work<Result>): Promise<Result> {
  let next = work.next()
  while (next.done !== true) next = work.next(await answer(client, schema, next.value))
  return next.value
}

async function answer(client: Client, schema: string, { query }: Step): Promise<Answer> {
  const config: QueryConfig = { text: inSchema(query.sql, schema), values: query.parameters.map(storableValue), types }
  try {
    const { rows, rowCount } = await client.query(config)
    return { rows, changed: rowCount ?? 0 }
  } catch (error) {
    throw isTableGone(error) ? new TablesGoneError(`schema ${schema}`, error) : error
  }
}

/** The error of a statement that the server refused has a severity; that of a failed connection has none. */
interface ServerError extends Error {
  readonly severity: string
  readonly code?: string
  readonly constraint?: string
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error
}

/** SQLSTATEs of a failed connection, and of a server that shuts down or is not up yet. */
const LOST = /^(?:08|57P)/

/** Whether the connection failed: whether the statement took effect is not known. */
export function isLostConnection(error: unknown): boolean {
  return !isServerError(error) || LOST.test(error.code ?? '')
}

/** Whether a statement got no answer in time (pg's `query_timeout`): that connection is used no more. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

const SERIALIZATION_FAILURE = '40001'

const DEADLOCK = '40P01'

const UNIQUE_VIOLATION = '23505'

const LOCK_NOT_AVAILABLE = '55P03'

const UNDEFINED_TABLE = '42P01'

const INVALID_SCHEMA = '3F000'

/** The names of all unique keys of our tables. A prefix would not do: the shop's own tables may begin with `journal_` as well. */
export const UNIQUE_KEYS: ReadonlySet<string> = new Set([
  'journal_intents_pkey',
  'journal_intents_attempt',
  'journal_intents_active',
  'journal_intents_order',
  'journal_intents_opening',
  'journal_outcomes_key',
  'journal_orphan_orders_key',
  'journal_gateway_answers_key',
  'journal_version_pkey',
])

/** Whether one of our tables, or their schema, is not there. */
function isTableGone(error: unknown): boolean {
  if (!isServerError(error)) return false
  return (error.code === UNDEFINED_TABLE && /journal_/.test(error.message)) || error.code === INVALID_SCHEMA
}

/** Whether a lock was not free in time. */
export function wasLocked(error: unknown): boolean {
  return isServerError(error) && error.code === LOCK_NOT_AVAILABLE
}

/**
 * Whether another transaction was faster and this one was rolled back whole: it may be done again. Only the unique keys of our
 * own tables count: the merchant has to know if their handler violates another.
 */
export function wasOvertaken(error: unknown): boolean {
  if (!isServerError(error)) return false
  const { code, constraint = '' } = error
  if (code === UNIQUE_VIOLATION) return UNIQUE_KEYS.has(constraint)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK
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
