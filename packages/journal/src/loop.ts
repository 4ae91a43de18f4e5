import type { JournalParts } from './options.ts'

/** Work that is done again and again in the background, until it is stopped. */
export interface Loop {
  start(): void
  /** Does it soon: there is news. */
  kick(): void
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>
}

/** Runs the work when something is due, and now and then for what other processes have left. */
export function loop<Transaction>(
  { clock, store, pollMs, tell }: Pick<JournalParts<Transaction>, 'clock' | 'store' | 'pollMs' | 'tell'>,
  work: () => Promise<unknown>,
): Loop {
  let isRunning = false
  let running: Promise<void> | undefined
  let hasNews = false
  let cancel = () => {}

  async function turn(): Promise<void> {
    hasNews = false
    try {
      await work()
    } catch (error) {
      tell({ type: 'RECONCILE_FAILED', error })
    }
  }

  async function untilNext(): Promise<number> {
    try {
      const dueAt = (await store.nextDueAt()) ?? Number.POSITIVE_INFINITY
      return Math.min(pollMs, Math.max(1, dueAt - clock.now()))
    } catch {
      return pollMs
    }
  }

  async function run(): Promise<void> {
    do await turn()
    while (hasNews && isRunning)
    const wait = await untilNext()
    running = undefined
    if (isRunning) arm(hasNews ? 1 : wait)
  }

  function arm(wait: number): void {
    cancel()
    cancel = clock.schedule(wait, begin)
  }

  function begin(): void {
    if (!isRunning || running !== undefined) return
    cancel()
    running = run()
  }

  return {
    start: () => {
      if (isRunning) return
      isRunning = true
      begin()
    },
    kick: () => {
      hasNews = true
      begin()
    },
    stop: async () => {
      isRunning = false
      cancel()
      await running
    },
  }
}
