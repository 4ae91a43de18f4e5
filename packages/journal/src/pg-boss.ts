import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { PgBoss } from 'pg-boss'
import type { Notifier } from './context.ts'
import { filledText } from './intents/endpoint.ts'
import { inTime } from './runtime/concurrency.ts'
import { systemClock } from './runtime/system.ts'
import { ownConnections } from './store/postgres/own-pool.ts'

/** A pg-boss of your own, or the database for one of the notifier's. */
export type PgBossNotifierOptions =
  | {
      /** Of the database. pg-boss is started on connections of its own, and stopped with the journal. */
      readonly connectionString: string
      /** Where it keeps its tables. Default `tallystick_jobs`. */
      readonly schema?: string | undefined
      /** Is called with failures of pg-boss. Default: they are ignored, since the journal also polls every `pollMs`. */
      readonly onError?: ((error: Error) => void) | undefined
      readonly boss?: undefined
    }
  | {
      /** The shop's own, already started; the shop stops it. Unless the shop listens for its errors, they are ignored. */
      readonly boss: PgBoss
      readonly connectionString?: undefined
    }

const QUEUE = 'tallystick-journal'

/** At most one job waits: the process that takes it does everything that is due. A job that fails has woken it all the same. */
const SETTINGS = { policy: 'short', notify: true, retryLimit: 0, retentionSeconds: 3600, deleteAfterSeconds: 60 }
/** How often pg-boss polls, in case the server's notice does not arrive. */
const POLLED_EVERY_SECONDS = 2
const STOPPED_WITHIN_MS = 5000

/**
 * Wakes the reconciler by a job of pg-boss: for shops in which other processes take the callbacks than those that reconcile, and
 * for a long `pollMs`. The job holds nothing; the tables of the journal say what is due.
 *
 * @throws TypeError for a wrong option
 */
export function pgBossNotifier(options: PgBossNotifierOptions): Notifier {
  requireOptions(options)
  let started: Promise<PgBoss> | undefined

  /** Starts pg-boss once. If that fails, the next caller tries again. */
  function ready(): Promise<PgBoss> {
    started ??= startedBoss(options).catch((error: unknown) => {
      started = undefined
      throw error
    })
    return started
  }

  async function stopped(): Promise<void> {
    const boss = await started?.catch(() => undefined)
    if (options.boss === undefined) await boss?.stop({ graceful: true, timeout: STOPPED_WITHIN_MS })
    else await boss?.offWork(QUEUE)
  }

  return {
    listen: async (onWake) => {
      const boss = await ready()
      await boss.work(QUEUE, { pollingIntervalSeconds: POLLED_EVERY_SECONDS }, async () => onWake())
    },
    wake: async () => {
      const boss = await ready()
      await boss.send(QUEUE)
    },
    // Does not wait for a server that does not answer.
    close: () => inTime(stopped, { clock: systemClock, limitMs: STOPPED_WITHIN_MS, late: () => {} }),
  }
}

const KINDS: Validators<PgBossNotifierOptions> = {
  connectionString: filledText('postgres://shop@db.example.com/shop'),
  schema: validator.text,
  onError: validator.function,
  boss: validator.withMethods('a pg-boss that is started', 'createQueue', 'work', 'send', 'on'),
}

function requireOptions(options: PgBossNotifierOptions): void {
  checkOptions('pgBossNotifier', options, KINDS)
  const { boss, connectionString } = options
  if (boss !== undefined && connectionString !== undefined) {
    throw new TypeError('pgBossNotifier: connectionString and boss exclude each other: give one of them')
  }
  if (boss === undefined && connectionString === undefined) {
    throw new TypeError('pgBossNotifier: give a connectionString or a boss')
  }
}

async function startedBoss(options: PgBossNotifierOptions): Promise<PgBoss> {
  const boss = options.boss ?? (await ownBoss(options))
  // A lost connection is an `error` event of pg-boss, which would end a process that does not listen for it.
  if (boss.listenerCount('error') === 0) boss.on('error', () => {})
  await boss.createQueue(QUEUE, SETTINGS)
  return boss
}

async function ownBoss({
  connectionString,
  schema = 'tallystick_jobs',
  onError = () => {},
}: Exclude<PgBossNotifierOptions, { readonly boss: PgBoss }>): Promise<PgBoss> {
  const boss = new PgBoss({
    ...ownConnections(connectionString),
    schema,
    max: 2,
    schedule: false,
    useListenNotify: true,
  })
  boss.on('error', onError)
  return await boss.start()
}
