import { PgBoss } from 'pg-boss'
import type { RealTime } from '../../runtime/system.ts'
import { ANSWER_WITHIN_MS } from './connections.ts'
import { atIntervals } from './retry.ts'

/** Jobs of pg-boss, which keeps its own time: they say that something may be due, never what. */
export interface Jobs {
  /** Wakes some process in so many milliseconds. */
  wakeIn(milliseconds: number): void
  stop(): Promise<void>
}

interface JobOptions {
  readonly connectionString: string
  /** Where pg-boss keeps its tables. */
  readonly schema: string
  readonly time: RealTime
  readonly onError: (error: unknown) => void
}

const QUEUE = 'wake'
/** Wakings within such a span share one job. */
const SPAN_MS = 1_000
/** How many announced spans are remembered. Those forgotten are announced again, which does no harm. */
const MOST_SPANS = 10_000
const POLLED_EVERY_SECONDS = 2
const STOPPED_WITHIN_MS = 2_000
/** Longer, since its connections are closed once the work has ended. */
const LEFT_AFTER_MS = 4_000
const TRIED_EVERY_MS = 5_000

/** Starts in the background, and tries again until it has started: the store does not wait for it. */
export function pgBossJobs({ connectionString, schema, time, onError }: JobOptions, wake: () => void): Jobs {
  const boss = new PgBoss({ ...connecting(connectionString), schema, max: 2, schedule: false })
  boss.on('error', onError)
  let started = isStarted()
  const tries = atIntervals(again, { time, everyMs: TRIED_EVERY_MS, onError })
  const announced = new Set<number>()

  async function isStarted(): Promise<boolean> {
    try {
      await startWork(boss, wake)
      return true
    } catch (error) {
      onError(error)
      await boss.stop({ graceful: false }).catch(onError)
      return false
    }
  }

  async function again(): Promise<void> {
    if (await started) return
    started = isStarted()
    await started
  }

  async function stopped(): Promise<void> {
    await tries.end()
    if (await started) await boss.stop({ graceful: true, timeout: STOPPED_WITHIN_MS }).catch(onError)
  }

  return {
    wakeIn: (milliseconds) => {
      const span = Math.ceil((time.now() + milliseconds) / SPAN_MS)
      if (announced.has(span)) return
      if (announced.size >= MOST_SPANS) announced.clear()
      announced.add(span)
      const inSeconds = Math.ceil(span * SPAN_MS - time.now()) / 1000
      started.then((isDone) => (isDone ? send(boss, inSeconds) : undefined)).catch(onError)
    },
    stop: () => inTime(stopped(), time),
  }
}

/** pg-boss passes these to the driver. It gives up a connection that has gone silent, as the store does. */
function connecting(connectionString: string) {
  return { connectionString, application_name: 'tallystick-gateway', query_timeout: ANSWER_WITHIN_MS, keepAlive: true }
}

/** Waits for the work to end, but not for a server that has gone silent. */
async function inTime(work: Promise<void>, time: RealTime): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = time.every(LEFT_AFTER_MS, late.resolve)
  try {
    await Promise.race([work, late.promise])
  } finally {
    cancel()
  }
}

async function startWork(boss: PgBoss, wake: () => void): Promise<void> {
  await boss.start()
  await boss.createQueue(QUEUE, { retryLimit: 0, retentionSeconds: 86_400, deleteAfterSeconds: 3_600 })
  await boss.work(QUEUE, { pollingIntervalSeconds: POLLED_EVERY_SECONDS, batchSize: 100 }, async () => wake())
}

async function send(boss: PgBoss, inSeconds: number): Promise<void> {
  await boss.send(QUEUE, null, { startAfter: inSeconds })
}
