import { afterNextTurn } from './after-next-turn.ts'
import type { Clock } from './clock.ts'

/** How long a request may take. After that a merchant has to ask for the status (gaps part 13), and a browser has to retry. */
export const ANSWER_WITHIN_MS = 30_000

/** How long a task waits for the acquirer. Its claim lasts longer, so nobody asks the acquirer the same meanwhile. */
export const WITHIN_CLAIM_MS = 50_000

/**
 * The answer, if it comes in time. A later one is ignored. An answer that has arrived by the time the timer runs still counts:
 * after a stall of the process, or a jump of a virtual clock, timers run before what was waiting to be read.
 *
 * @throws Error if it does not
 */
export function inTime<Answer>(answer: Promise<Answer>, clock: Clock, withinMs = ANSWER_WITHIN_MS): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const isOver = () => reject(new Error('The answer took too long'))
    const cancel = clock.schedule(withinMs, async () => {
      await new Promise<void>((read) => afterNextTurn(read))
      isOver()
    })
    const ending = <Outcome>(end: (outcome: Outcome) => void) => {
      return (outcome: Outcome) => {
        cancel()
        end(outcome)
      }
    }
    answer.then(ending(resolve), ending(reject))
  })
}

/** Whether a request that came at `at` has timed out by now. */
export function isTooLate(at: number, clock: Pick<Clock, 'now'>): boolean {
  return clock.now() >= at + ANSWER_WITHIN_MS
}
