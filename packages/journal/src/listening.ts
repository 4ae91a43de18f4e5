import type { JournalParts } from './options.ts'

/** Whether news is heard of. */
export interface Listening {
  begin(): void
  end(): void
}

/** As often as that it is tried again, while the database is away. */
const TRIED_EVERY_MS = 5000

/** Hears of news, and where that cannot be had yet, as soon as it can: nobody else would begin with it later. */
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
