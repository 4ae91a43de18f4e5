import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { realTime } from '../../runtime/system.ts'
import { SPARE_NONCES } from '../nonce-window.ts'
import type { Store } from '../store.ts'
import { connectionsTo, requireAddress } from './connections.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { requireSchemaName } from './open-store.ts'

/** The database of a gateway. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host/database`, with `?sslmode=verify-full` beyond this machine. */
  readonly connectionString: string
  /**
   * Whether the connection to a database beyond this machine may be unencrypted, or to a server that is not verified. Only if
   * the network itself is safe, as between containers of one machine. Default false.
   */
  readonly allowPlainConnection?: boolean | undefined
  /** The schema of its tables, which is created if it does not exist. Default `tallystick`. */
  readonly schema?: string | undefined
  /** The most connections at once; the lease has one more, and pg-boss two. Default 10. */
  readonly connections?: number | undefined
  /** How many orders are kept in memory, so that a change of one need not read it first. Default 4,096. */
  readonly cachedOrders?: number | undefined
  /**
   * How many used nonces are kept however old they are, so that a clock which was wrong does no harm once it is right again.
   * Default 100,000: about 10 MB.
   */
  readonly spareNonces?: number | undefined
  /**
   * Whether pg-boss wakes the nodes when something is due, with a schema of its own beside this one (`tallystick_wakeups`).
   * Default true. Each node also looks every 5 s on its own.
   */
  readonly jobs?: boolean | undefined
  /** Called with failures that no caller receives: the server was away, or a job was not written. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The address and the schema are checked where they are read. */
const KINDS: Validators<PostgresStoreOptions> = {
  connectionString: validator.anything,
  allowPlainConnection: validator.flag,
  schema: validator.anything,
  connections: validator.count,
  cachedOrders: validator.anything,
  spareNonces: validator.count,
  jobs: validator.flag,
  onError: validator.function,
}

/**
 * A store in PostgreSQL that any number of processes can share; none holds anything that the others need. Changes of one
 * process share a transaction.
 *
 * @throws StoreError if the server is away, too old or a standby; if its clock is too far from this machine's; or if the schema
 *   is another program's, of a later version, or fails the self-test
 * @throws TypeError that names a wrong option
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  checkOptions('postgresStore', options, KINDS)
  const { connectionString, connections: most = 10, schema = 'tallystick', jobs = true, onError = () => {} } = options
  requireAddress(connectionString, options.allowPlainConnection ?? false)
  const startJobs = jobs ? (await import('./pg-boss-jobs.ts')).pgBossJobs : undefined
  return await openPostgresStore({
    schema: requireSchemaName(schema),
    cachedOrders: options.cachedOrders ?? 4096,
    spareNonces: options.spareNonces ?? SPARE_NONCES,
    connect: (each) => connectionsTo({ connectionString, most, ...each }),
    time: realTime,
    startJobs:
      startJobs && ((time, wake) => startJobs({ connectionString, schema: `${schema}_wakeups`, time, onError }, wake)),
    onError,
  })
}
