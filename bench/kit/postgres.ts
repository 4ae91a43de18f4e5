import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** What a PostgreSQL server on this machine has used so far. */
export interface ServerCost {
  /** CPU time of all its processes in microseconds, including those that have ended. */
  readonly cpu: number
  /** Bytes of its write-ahead log. */
  readonly log: number
  readonly commits: number
  /** Transactions that wrote something. */
  readonly writes: number
  /** Bytes of the tables and indexes of the schema. */
  readonly size: number
}

export async function serverCosts(connectionString: string, schema: string) {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  const one = async (text: string) => Number(Object.values((await client.query(text)).rows[0] ?? {})[0])
  const server = parentOf(await one('SELECT pg_backend_pid()'))
  return {
    read: async (): Promise<ServerCost> => ({
      cpu: cpuOf(server),
      log: await one("SELECT pg_current_wal_lsn() - '0/0'"),
      commits: await one('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()'),
      writes: await one('SELECT txid_current()'),
      size: await one(`SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r'`),
    }),
    /** Whether nothing is left to do: no operation is at the acquirer, and no callback is due. */
    isQuiet: async (): Promise<boolean> =>
      (await one(`SELECT count(*) FROM ${schema}.operations WHERE status = 'sent'`)) +
        (await one(`SELECT count(*) FROM ${schema}.deliveries WHERE due_at IS NOT NULL`)) ===
      0,
    close: () => client.end(),
  }
}

/** The fields after the name, which may contain spaces: state, parent, and so on. */
function statOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

const PARENT = 1
const [USER, SYSTEM, ENDED_USER, ENDED_SYSTEM] = [11, 12, 13, 14] as const
/** Linux counts in hundredths of a second. */
const MICROSECONDS_OF_TICK = 10_000

function parentOf(pid: number): number {
  return statOf(pid)[PARENT] ?? 0
}

function cpuOf(server: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = processes.map((pid) => readIfThere(Number(pid))).filter((stat) => stat[PARENT] === server)
  const ticks = [
    ...children.flatMap((stat) => [stat[USER], stat[SYSTEM]]),
    ...[USER, SYSTEM, ENDED_USER, ENDED_SYSTEM].map((at) => statOf(server)[at]),
  ]
  return ticks.reduce<number>((sum, each = 0) => sum + each, 0) * MICROSECONDS_OF_TICK
}

/** The process may have ended in the meantime. */
function readIfThere(pid: number): readonly number[] {
  try {
    return statOf(pid)
  } catch {
    return []
  }
}

/** A statement as `pg` sends it. */
export interface RecordedStatement {
  readonly name?: string
  readonly text: string
  readonly values?: unknown[]
}

/**
 * Records what this process commits to a schema, statement by statement, in all connections that `pg` opens from now on.
 *
 * @returns takes what was committed since the last call
 */
export function recordCommits(schema: string): () => readonly RecordedStatement[] {
  let committed: RecordedStatement[] = []
  const open = new WeakMap<pg.Client, RecordedStatement[]>()
  const { query } = pg.Client.prototype
  const record = (client: pg.Client, statement: RecordedStatement) => {
    const statements = statement.text === 'BEGIN' ? [] : (open.get(client) ?? [])
    statements.push(statement)
    open.set(client, statements)
    if (statement.text !== 'COMMIT') return
    if (statements.some(({ text }) => text.includes(`${schema}.`))) committed.push(...statements)
    open.delete(client)
  }
  Object.defineProperty(pg.Client.prototype, 'query', {
    value: function (this: pg.Client, statement: string | RecordedStatement, ...more: unknown[]) {
      record(this, typeof statement === 'string' ? { text: statement } : statement)
      return Reflect.apply(query, this, [statement, ...more])
    },
  })
  return () => {
    const taken = committed
    committed = []
    return taken
  }
}

/** A program that only sends recorded statements, one after the other, through `pg` with its defaults. */
export async function bareProgram(
  connectionString: string,
  { from, into }: { readonly from: string; readonly into: string },
) {
  const client = new pg.Client({ connectionString })
  // After a failure the server may end before this client.
  client.on('error', () => {})
  await client.connect()
  return {
    run: async (statements: readonly RecordedStatement[]) => {
      for (const { name, text, values = [] } of statements) {
        const here = text.replaceAll(`${from}.`, `${into}.`)
        await client.query({ ...(name === undefined ? {} : { name }), text: here, values })
      }
    },
    close: () => client.end(),
  }
}
