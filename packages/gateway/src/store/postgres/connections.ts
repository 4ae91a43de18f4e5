import { ownPool } from '@tallystick/durable/postgres-pool'
import { readable, storableValue } from '@tallystick/durable/stored-text'
import pg from 'pg'
import { StoreError } from '../store-error.ts'
import type { Answer, Statement } from './statement.ts'

/** A connection that nothing else uses until it is released. */
export interface Connection {
  query(statement: Statement): Promise<Answer>
  /** @param isBroken Closes the connection, so that nothing uses it again. */
  release(isBroken: boolean): void
}

/** The part of pg's pool that is used here, so that a test can inject failures. */
export interface Connections {
  take(): Promise<Connection>
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly connectionString: string
  /** The most connections that are open at once. */
  readonly most: number
  /** A server that takes longer for a statement counts as lost. 0: no limit. Default 20 s: everything here takes milliseconds. */
  readonly answerWithinMs?: number
}

const CONNECT_WITHIN_MS = 5_000
export const ANSWER_WITHIN_MS = 20_000

/**
 * Opens connections as they are needed. Statements that are sent at once take one round trip to the server (`pipeline`).
 */
export function connectionsTo({
  connectionString,
  most,
  answerWithinMs = ANSWER_WITHIN_MS,
}: ConnectionOptions): Connections {
  const pool = ownPool({
    connectionString,
    max: most,
    pipeline: true,
    types: { getTypeParser },
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: answerWithinMs,
    application_name: 'tallystick-gateway',
  })
  let isClosed = false
  return {
    take: async () => {
      if (isClosed) throw new StoreError('CLOSED', 'The store is closed')
      const client = await pool.connect()
      return {
        query: async (statement) => answerOf(await client.query({ ...statement, values: valuesOf(statement) })),
        release: (isBroken) => client.release(isBroken),
      }
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      await pool.end()
    },
  }
}

function valuesOf({ values = [] }: Statement): unknown[] {
  return values.map(storableValue)
}

function answerOf({ rows, rowCount, command }: pg.QueryResult): Answer {
  return { rows, rowCount: rowCount ?? 0, command }
}

const { BOOL, BYTEA, INT2, INT4, INT8, TEXT } = pg.types.builtins

/** Values of all other types stay as the server sends them. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  [BYTEA, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))],
  [INT2, Number],
  [INT4, Number],
  [INT8, BigInt],
  [TEXT, readable],
])

function getTypeParser(type: number): (text: string) => unknown {
  return PARSERS.get(type) ?? asItIs
}

function asItIs(text: string): string {
  return text
}

/** The values of `sslmode`. The driver would take any other word for one of them. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

const ADDRESS = /^postgres(ql)?:\/\//
/** This machine, or a socket in a folder of it. */
const LOOPBACK = /^(\/.*|localhost|127(\.\d{1,3}){3}|::1)$/

/**
 * Refuses an address that cannot lead to a server, and one that would send payers' names in the clear. The address holds a
 * password, so no message quotes it.
 *
 * @throws TypeError
 */
export function requireAddress(connectionString: string, allowPlainConnection: boolean): void {
  const { host, isVerified } = understood(connectionString)
  if (isVerified || allowPlainConnection || LOOPBACK.test(host)) return
  throw wrong(
    'beyond this machine it needs sslmode=verify-full, else others may read what is written; ' +
      'if the network itself is safe, set allowPlainConnection: true',
  )
}

/** As the driver will understand it, with what it takes from the environment: `PGHOST`, `PGSSLMODE`. */
function understood(connectionString: string): { readonly host: string; readonly isVerified: boolean } {
  if (typeof connectionString !== 'string' || !ADDRESS.test(connectionString)) {
    throw wrong('must be an address such as postgres://user:password@host/database')
  }
  requireSslMode(connectionString)
  try {
    // The client does not connect until it is told to.
    const { host, ssl } = new pg.Client({ connectionString })
    return { host, isVerified: isVerifying(ssl) }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw wrong('names a certificate or key that cannot be read')
    throw wrong('is no address: in a password, characters such as / ? # @ : are written as %2F %3F %23 %40 %3A')
  }
}

function requireSslMode(connectionString: string): void {
  const [, mode] = /[?&]sslmode=([^&#]*)/.exec(connectionString) ?? []
  if (mode === undefined || SSL_MODES.includes(mode)) return
  throw wrong(`sslmode must be one of ${SSL_MODES.join(', ')}`)
}

/** `ssl` is `true`, or the options of Node's TLS, which verifies unless they say otherwise. */
function isVerifying(ssl: unknown): boolean {
  if (typeof ssl !== 'object' || ssl === null) return ssl === true
  return !('rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false) && !('checkServerIdentity' in ssl)
}

function wrong(what: string): TypeError {
  return new TypeError(`connectionString: ${what}`)
}
