import type { JournalParts } from '../context.ts'

/** Work that is repeated in the background until it is stopped. */
interface Loop {
  start(): void
  /** Has the work done soon, since there is something to do. Gives whether the loop runs in this process. */
  kick(): boolean
  /** Whether the loop runs in this process. */
  isRunning(): boolean
  /** Resolves when the turn under way has ended. */
  stop(): Promise<void>
}

/**
 * If something is still due after a turn, another process works on it, or it came a moment ago. The next turn follows after the
 * first of these waits, and then after twice as long each time, up to the last.
 */
const FIRST_LEFT_OVER_MS = 50
const LAST_LEFT_OVER_MS = 1000

/**
 * Begins the work when something is due, and at least every `pollMs` for what other processes have left. It does not wait for
 * the end of the work it began, so that nothing delays the next turn.
 */
export function loop<Transaction>(
  {
    clock,
    store,
    handler,
    pollMs,
    emit,
  }: Pick<JournalParts<Transaction>, 'clock' | 'store' | 'handler' | 'pollMs' | 'emit'>,
  /** Called with whether there is news; if not, it is for what other processes have left. */
  begin: (hasNews: boolean) => Promise<unknown>,
  /** Called before a turn with how much later it comes, by the clock, than its timer was set for. */
  onLate: (byMs: number) => void = () => {},
): Loop {
  let isRunning = false
  let running: Promise<void> | undefined
  let hasNews = false
  let leftOverMs = FIRST_LEFT_OVER_MS
  let cancel = () => {}
  let wakeAt = Number.POSITIVE_INFINITY

  async function turn(): Promise<void> {
    const isNews = hasNews
    if (isNews) leftOverMs = FIRST_LEFT_OVER_MS
    hasNews = false
    try {
      await begin(isNews)
    } catch (error) {
      emit({ type: 'RECONCILE_FAILED', error })
    }
  }

  async function untilNext(): Promise<number> {
    try {
      const dueAt = await store.nextDueAt({ until: clock.now() + pollMs, withOutcomes: handler !== undefined })
      const wait = (dueAt ?? Number.POSITIVE_INFINITY) - clock.now()
      return Math.min(pollMs, wait > 0 ? wait : leftOver())
    } catch {
      // When the next is due is not known: the database is or was away.
      return Math.min(pollMs, LAST_LEFT_OVER_MS)
    }
  }

  function leftOver(): number {
    const wait = leftOverMs
    leftOverMs = Math.min(LAST_LEFT_OVER_MS, leftOverMs * 2)
    return wait
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
    wakeAt = clock.now() + wait
    cancel = clock.schedule(wait, wake)
  }

  function wake(): void {
    if (!isRunning || running !== undefined) return
    cancel()
    onLate(clock.now() - wakeAt)
    running = run()
  }

  return {
    start: () => {
      if (isRunning) return
      isRunning = true
      wake()
    },
    kick: () => {
      hasNews = true
      wake()
      return isRunning
    },
    isRunning: () => isRunning,
    stop: async () => {
      isRunning = false
      cancel()
      await running
    },
  }
}

/** Listens for wake-ups from other processes. */
interface Listening {
  begin(): void
  end(): void
}

/** How often it tries again while the database is away. */
const TRIED_EVERY_MS = 5000

/** Starts listening, and tries again until that succeeds: nothing else would start it later. */
export function listening<Transaction>(
  { wakeups, clock, emit }: Pick<JournalParts<Transaction>, 'wakeups' | 'clock' | 'emit'>,
  onNews: () => void,
): Listening {
  let isOver = false
  let cancel = () => {}

  function listen(): void {
    wakeups?.listen(onNews).catch((error: unknown) => {
      if (isOver) return
      emit({ type: 'WAKEUP_FAILED', error })
      cancel = clock.schedule(TRIED_EVERY_MS, listen)
    })
  }

  return {
    begin: listen,
    end: () => {
      isOver = true
      cancel()
    },
  }
}

/** Notices a journal with a handler that was never started. */
interface ForgottenStart {
  /** `start` or `reconcile` was called. */
  begun(): void
  /** A payment is made. */
  pays(): void
}

/** A process may pay for this long before it starts its journal. */
const LATE_MS = 60_000

/**
 * A journal that was never started pays like any other, but never calls its handler. That is noticed at a payment that comes long
 * after the first.
 */
export function notStartedCheck<Transaction>({
  clock,
  handler,
  emit,
}: Pick<JournalParts<Transaction>, 'clock' | 'handler' | 'emit'>): ForgottenStart {
  let isKnown = handler === undefined
  let firstAt: number | undefined
  return {
    begun: () => {
      isKnown = true
    },
    pays: () => {
      if (isKnown) return
      firstAt ??= clock.now()
      if (clock.now() - firstAt < LATE_MS) return
      isKnown = true
      emit({ type: 'NOT_STARTED' })
    },
  }
}
