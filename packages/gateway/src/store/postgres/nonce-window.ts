import type { BurnableNonce } from '@tallystick/signing'
import { NONCE_WINDOW_SECONDS } from '../nonce-window.ts'
import { type AskTools, ask } from './ask.ts'
import type { QueuedChange } from './queued-change.ts'
import type { Statements } from './statements.ts'

/**
 * How far back nonces are accepted: 300 s behind the latest time that any node has seen. It is written once a second, before
 * the nonces of that second are burned, and read with each burning.
 */
export interface NonceWindow {
  /** Raises the window to the times of these changes, if they have nonces. */
  see(batch: readonly QueuedChange[]): Promise<void>
  /** Deletes nonces that no node accepts any more. */
  sweep(): Promise<void>
  /** Starts anew, as if no time had been seen. */
  forget(): void
}

export interface NonceWindowTools extends AskTools {
  readonly statements: Statements
  /** Waits until every writing transaction that is open now has ended, on any node. `false`: that took too long. */
  readonly barrier: () => Promise<boolean>
}

export function nonceWindow({ statements, barrier, ...tools }: NonceWindowTools): NonceWindow {
  /** The window that the database is known to have. */
  let raisedTo = 0
  return {
    see: async (batch) => {
      const oldest = Math.max(0, ...batch.map(({ change, now }) => (change.nonce === undefined ? 0 : oldestAt(now))))
      if (oldest <= raisedTo) return
      const { rows } = await ask(statements.raiseWindow(oldest), tools)
      raisedTo = Number(rows[0]?.['forgotten_before'])
    },
    sweep: async () => {
      const over = raisedTo
      if (over === 0) return
      // A transaction that began before the window was raised may still burn what is deleted next.
      if (!(await barrier())) return
      for (let left = 1; left > 0; ) left = (await ask(statements.forgetBefore(over), tools)).rowCount
    },
    forget: () => {
      raisedTo = 0
    },
  }
}

/** The second before which nothing is accepted at this time, in milliseconds since 1970. */
function oldestAt(now: number): number {
  return Math.ceil(now / 1000 - NONCE_WINDOW_SECONDS)
}

/** Whether the timestamp is near enough to `now`. What other nodes have seen is in the database. */
export function isInWindow({ timestamp }: BurnableNonce, now: number): boolean {
  return timestamp >= oldestAt(now) && timestamp <= now / 1000 + NONCE_WINDOW_SECONDS
}
