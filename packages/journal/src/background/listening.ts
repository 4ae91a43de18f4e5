import type { JournalParts } from '../options.ts'

/** Listens for wake-ups from other processes. */
export interface Listening {
  begin(): void
  end(): void
}

/** How often it tries again while the database is away. */
const TRIED_EVERY_MS = 5000

/** Starts listening, and tries again until that succeeds: nothing else would start it later. */
export function listening<Transaction>(
  { wakeups, clock, tell }: Pick<JournalParts<Transaction>, 'wakeups' | 'clock' | 'tell'>,
  onNews: () => void,
): Listening {
  let isOver = false
  let cancel = () => {}

  function listen(): void {
    wakeups?.listen(onNews).catch((error: unknown) => {
      if (isOver) return
      tell({ type: 'WAKEUP_FAILED', error })
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
