import { serverCode } from '@tallystick/durable/sqlstate'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { afterNextTurn, type RealTime } from '../../runtime/system.ts'
import { readingDialect } from '../sql/dialect.ts'
import { OrderCache } from '../sql/order-cache.ts'
import { isKeyInUse, notedKeys } from '../sql/queries.ts'
import type { Queries, Tables } from '../sql/tables.ts'
import type { KeyCheck, KeyFingerprints } from '../store.ts'
import { otherTables, StoreError } from '../store-error.ts'
import { checkServer, clocksOf } from './clocks.ts'
import { leaseOf, RENEWED_WITHIN_MS, wakeUps } from './cluster.ts'
import type { ConnectionOptions, Connections } from './connections.ts'
import { idBlocks, locksOf, writeBarrier } from './locks.ts'
import { migrate } from './migrate.ts'
import { nonceWindow } from './nonce-window.ts'
import type { Jobs } from './pg-boss-jobs.ts'
import { type AskTools, ask } from './retry.ts'
import { selfTest } from './self-test.ts'
import { columns, rowsStatement } from './statement.ts'
import { statementsOver } from './statements.ts'
import type { TransactionTools, Work } from './transaction.ts'
import { conflictQuestions, writeQueue } from './write-queue.ts'

export interface OpenOptions {
  readonly schema: string
  readonly cachedOrders: number
  readonly spareNonces: number
  readonly connect: (options: Partial<ConnectionOptions>) => Connections
  readonly time: RealTime
  readonly startJobs: ((time: RealTime, wake: () => void) => Jobs) | undefined
  readonly onError: (error: unknown) => void
}

/** A schema of the newest version on a sound server, and what works on it. */
export type OpenStore = Awaited<ReturnType<typeof openStore>>

/**
 * @throws StoreError
 * @throws TypeError if the name of the schema is a reserved word
 */
export async function openStore(options: OpenOptions) {
  const { schema, connect, time } = options
  await prepare(options)
  const connections = connect({})
  const own = connect({ most: 1, answerWithinMs: RENEWED_WITHIN_MS })
  /** Once nothing else goes on. */
  const disconnect = async () => void (await Promise.all([connections.close(), own.close()]))
  try {
    const bare = { connections, time, opening: [locksOf(schema).writing] }
    return { ...(await assemble(options, bare, own)), disconnect }
  } catch (error) {
    await disconnect()
    throw explained(error, schema)
  }
}

/** A migration may take long, so this waits for each answer without a limit. */
async function prepare({ schema, connect, time }: OpenOptions): Promise<void> {
  const connections = connect({ most: 1, answerWithinMs: 0 })
  try {
    const tools = { connections, time }
    await checkServer(tools)
    await requireUnreserved(schema, tools)
    await migrate(schema, tools)
    await selfTest(schema, tools)
  } catch (error) {
    throw explained(error, schema)
  } finally {
    await connections.close()
  }
}

/** A wrong password, no such database, no right to create a schema: for the operator to fix. */
const REFUSED_TO_OPERATOR = /^(28|3D|42501)/

/** A table or a column that does not exist, or a table that exists already. */
const OTHER_TABLES = /^42(P01|703|P07)/

function explained(error: unknown, schema: string): unknown {
  if (!(error instanceof Error)) return error
  const code = serverCode(error) ?? ''
  if (OTHER_TABLES.test(code)) return new StoreError('UNSOUND', `${otherTables(schema)} (${error.message})`)
  return REFUSED_TO_OPERATOR.test(code) ? new StoreError('UNWRITABLE', `The database refuses: ${error.message}`) : error
}

async function assemble(options: OpenOptions, bare: TransactionTools, own: Connections) {
  const { schema, cachedOrders, spareNonces, startJobs, onError } = options
  const { connections, time } = bare
  const statements = statementsOver(schema)
  const cache = new OrderCache(cachedOrders)
  const window = nonceWindow({ statements, spare: spareNonces, barrier: writeBarrier(schema, bare), connections, time })
  const clocks = clocksOf({ time, onError })
  // The lease uses these at its first renewal at the earliest: by then `queue` and `wakes` exist.
  const alone = (work: () => Promise<void>): Promise<void> => queue.alone(work)
  const onGone = (): void => wakes.wake()
  const lease = await leaseOf({ schema, connections, own, time, clocks, onGone, onError, alone })
  const tools = { ...bare, marks: lease.marks }
  const queue = writeQueue({
    schema,
    statements,
    cache,
    window,
    transactions: tools,
    node: lease.node,
    seqs: idBlocks(schema),
    conflicts: conflictQuestions(schema, statements),
    soon: afterNextTurn,
  })
  const wakes = wakeUps(time, startJobs && ((wake) => startJobs(time, wake)))
  return {
    tools,
    queries: queriesOf(bare).withSchema(schema),
    statements,
    cache,
    window,
    lease,
    clocks,
    queue,
    wakes,
  }
}

/** Names that need no quoting anywhere, and leave room for what pg-boss adds. The server reserves `pg_` for itself. */
const NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/

/** @throws TypeError if it is not such a name */
export function requireSchemaName(name: string): string {
  if (NAME.test(name)) return name
  throw new TypeError('schema: must begin with a letter, but not with pg_, and have only small letters, digits and _')
}

/** Words that name a schema only in quotes. Each version of the server has its own. */
const RESERVED = `SELECT 1 FROM pg_get_keywords() WHERE word = $1 AND catcode IN ('R', 'T')`

/** @throws TypeError if the server reserves the word */
async function requireUnreserved(name: string, tools: AskTools): Promise<void> {
  const { rowCount } = await ask({ text: RESERVED, values: [name] }, tools)
  if (rowCount > 0) throw new TypeError(`schema: ${name} is a reserved word of PostgreSQL: choose another`)
}

const TABLES = [
  'orders',
  'operations',
  'postings',
  'deliveries',
  'tasks',
  'cards',
  'card_references',
  'recurring_payments',
  'nonces',
  'forgotten_nonces',
]

/** Deletes every row but those about the schema and its keys. */
export function* truncate(schema: string): Work<void> {
  yield [{ text: `TRUNCATE ${TABLES.map((name) => `${schema}.${name}`).join(', ')}` }]
  return { keep: true, result: undefined }
}

interface KeyNotesTools extends AskTools {
  readonly schema: string
  readonly queries: Queries
}

export function keyFingerprintsOf({ schema, queries, ...tools }: KeyNotesTools): KeyFingerprints {
  const write = rowsStatement<KeyCheck>({
    name: 'note_keys',
    columns: columns('text', 'key_name', 'check_value'),
    readers: { key_name: ({ name }) => name, check_value: ({ value }) => value },
    text: (rows, names) => `INSERT INTO ${schema}.key_checks (${names}) SELECT ${names} FROM ${rows}
      ON CONFLICT DO NOTHING`,
  })
  return {
    note: async (checks) => {
      if (checks.length > 0) await ask(write(checks), tools)
      return await notedKeys(queries)
    },
    isInUse: (keyId) => isKeyInUse(queries, keyId),
  }
}

/** Kysely over the connections. */
function queriesOf(tools: AskTools): Queries {
  const dialect = readingDialect({
    adapter: () => new PostgresAdapter(),
    compiler: () => new PostgresQueryCompiler(),
    introspector: (queries) => new PostgresIntrospector(queries),
    read: async ({ sql, parameters }) => [...(await ask({ text: sql, values: parameters }, tools)).rows],
  })
  return new Kysely<Tables>({ dialect })
}
