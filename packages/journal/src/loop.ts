import type { JournalParts } from './options.ts'

/** Work that is done again and again in the background, until it is stopped. */
export interface Loop {
  start(): void
  /** Does it soon: there is news. Gives whether it is done here at all. */
  kick(): boolean
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>
}

/** What is due after the work was done, another process is at, or it came a moment ago. */
const LEFT_OVER_MS = 50
/** Without a handler it may as well be an outcome, which waits for a process that has one. */
const NOT_OURS_MS = 1000

/** Runs the work when something is due, and now and then for what other processes have left. */
export function loop<Transaction>(
  {
    clock,
    store,
    handler,
    pollMs,
    tell,
  }: Pick<JournalParts<Transaction>, 'clock' | 'store' | 'handler' | 'pollMs' | 'tell'>,
  work: () => Promise<unknown>,
): Loop {
  const leftOverMs = handler === undefined ? NOT_OURS_MS : LEFT_OVER_MS
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
      const wait = ((await store.nextDueAt()) ?? Number.POSITIVE_INFINITY) - clock.now()
      return Math.min(pollMs, wait > 0 ? wait : leftOverMs)
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
      return isRunning
    },
    stop: async () => {
      isRunning = false
      cancel()
      await running
    },
  }
}
