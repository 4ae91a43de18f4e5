import type { StatusResult } from '../../../journal/src/status/status-result.ts'

/** What a client believes of an attempt. */
export type Belief =
  /** Not decided: the client goes on asking. */
  | 'open'
  /** It was charged. */
  | 'charged'
  /** It was not charged, and will not be: the client makes a new attempt. */
  | 'absent'

/** What a status check may find in the model. */
export type Seen = Exclude<StatusResult['kind'], 'other'>

export interface LookedAt {
  readonly seen: Seen
  readonly now: number
  /** When the gateway last answered for another order, before this status check. */
  readonly lastAnswerAt: number | undefined
}

/** How a client deals with one attempt. What it remembers is durable, and plain data. */
export interface Policy<Memory> {
  readonly name: string
  /** Written, and about to be sent. */
  begin(attempt: number, now: number): Memory
  /** The process that was sending it died. */
  orphaned(memory: Memory, now: number): Memory
  accepted(memory: Memory, now: number): Memory
  /** No reply came by the deadline. */
  lost(memory: Memory, now: number): Memory
  looked(memory: Memory, look: LookedAt): Memory
  /** What it remembers if it sends the request once more now. `undefined`: it does not. */
  sendsAgain(memory: Memory, now: number): Memory | undefined
  beliefOf(memory: Memory): Belief
  /** Whether it will ever check the status again. */
  isWatched(memory: Memory): boolean
}
