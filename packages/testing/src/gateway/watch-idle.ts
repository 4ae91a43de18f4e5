// Imported, so that a test that replaces the global timers does not affect it.
import { clearTimeout, setTimeout } from 'node:timers'

/** Longer than a test usually does something else. */
const IDLE_MS = 30_000

/**
 * Warns once if a gateway listens and gets no request for a while: `node --test` waits for one that was left open, for ever and
 * without a word. The watch itself does not keep the process from ending.
 *
 * @param opened has in its stack where the test opened the gateway
 */
export function watchIdle(opened: Error, idleMs = IDLE_MS) {
  let isWatched = true
  const timer = setTimeout(() => {
    isWatched = false
    process.emitWarning(
      `A gateway is open and has had no request for ${idleMs / 1000} s; it keeps the process from ending. ` +
        `Close it when its test ends: test.after(() => gateway.close()). It was opened ${placeIn(opened)}`,
      { type: 'TestGatewayWarning', code: 'GATEWAY_LEFT_OPEN' },
    )
  }, idleMs).unref()
  return {
    used: () => {
      if (isWatched) timer.refresh()
    },
    end: () => {
      isWatched = false
      clearTimeout(timer)
    },
  }
}

function placeIn({ stack = '' }: Error): string {
  return /^ *(at .*)$/m.exec(stack)?.[1] ?? 'at an unknown place'
}
