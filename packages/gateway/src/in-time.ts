import type { Clock } from './clock.ts'
import { afterNextTurn } from './rims/after-next-turn.ts'

/** How long a request may take; after that a merchant has to ask for the status (gaps part 13), and a browser again. */
const ANSWER_WITHIN_MS = 30_000

/** How long a task waits for the acquirer. It is claimed for longer: the acquirer is not asked the same again meanwhile. */
export const WITHIN_CLAIM_MS = 50_000

/**
 * The answer, if it comes in time. What goes on after that is not heard. What is there when the time is over counts, too: after a
 * stall of the process, or a jump of a virtual clock, timers come before what was waiting to be read.
 *
 * @throws Error when it does not
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

/** Whether whoever asked at an instant was told by now that it took too long. */
export function isTooLate(at: number, clock: Pick<Clock, 'now'>): boolean {
  return clock.now() >= at + ANSWER_WITHIN_MS
}
