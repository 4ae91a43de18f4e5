import { afterNextTurn } from '../../runtime/after-next-turn.ts'
import type { RealTime } from '../../runtime/real-time.ts'
import { OrderCache } from '../sql/order-cache.ts'
import type { Queries } from '../sql/tables.ts'
import { otherTables, StoreError } from '../store-error.ts'
import { checkServer } from './check-server.ts'
import { type Clocks, clocksOf } from './clocks.ts'
import { conflictQuestions } from './conflicts.ts'
import type { ConnectionOptions, Connections } from './connections.ts'
import { queriesOf } from './dialect.ts'
import { serverCode } from './failure.ts'
import { seqBlocks } from './id-blocks.ts'
import { type Lease, leaseOf, RENEWED_WITHIN_MS } from './lease.ts'
import { locksOf } from './locks.ts'
import { migrate } from './migrations/migrate.ts'
import { type NonceWindow, nonceWindow } from './nonce-window.ts'
import type { Jobs } from './pg-boss-jobs.ts'
import { requireUnreserved } from './schema-name.ts'
import { selfTest } from './self-test.ts'
import { type Statements, statementsOver } from './statements.ts'
import type { TransactionTools } from './transaction.ts'
import { type WakeUps, wakeUps } from './wake-ups.ts'
import { barrierOf } from './write-barrier.ts'
import { type WriteQueue, writeQueue } from './write-queue.ts'

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
export interface OpenStore {
  readonly tools: TransactionTools
  readonly queries: Queries
  readonly statements: Statements
  readonly cache: OrderCache
  readonly window: NonceWindow
  readonly lease: Lease
  readonly clocks: Clocks
  /** Closes the connections, once nothing else goes on. */
  readonly disconnect: () => Promise<void>
  readonly queue: WriteQueue
  readonly wakes: WakeUps
}

/**
 * @throws StoreError
 * @throws TypeError if the name of the schema is a reserved word
 */
export async function openStore(options: OpenOptions): Promise<OpenStore> {
  const { schema, connect, time } = options
  await prepare(options)
  const connections = connect({})
  const own = connect({ most: 1, answerWithinMs: RENEWED_WITHIN_MS })
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
    await migrate({ queries: queriesOf(tools), schema }, tools)
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

async function assemble(
  options: OpenOptions,
  bare: TransactionTools,
  own: Connections,
): Promise<Omit<OpenStore, 'disconnect'>> {
  const { schema, cachedOrders, spareNonces, startJobs, onError } = options
  const { connections, time } = bare
  const statements = statementsOver(schema)
  const cache = new OrderCache(cachedOrders)
  const window = nonceWindow({ statements, spare: spareNonces, barrier: barrierOf(schema, bare), connections, time })
  const clocks = clocksOf({ time, onError })
  // The lease uses these at its first renewal at the earliest: by then `queue` and `wakes` exist.
  const alone = (work: () => Promise<void>) => queue.alone(work)
  const onGone = () => wakes.wake()
  const lease: Lease = await leaseOf({ schema, connections, own, time, clocks, onGone, onError, alone })
  const tools = { ...bare, marks: lease.marks }
  const queue: WriteQueue = writeQueue({
    schema,
    statements,
    cache,
    window,
    transactions: tools,
    node: lease.node,
    seqs: seqBlocks(schema),
    conflicts: conflictQuestions(schema, statements),
    soon: afterNextTurn,
  })
  const wakes: WakeUps = wakeUps(time, startJobs && ((wake) => startJobs(time, wake)))
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
