import { NONCES_KEPT_SECONDS } from '../nonce-window.ts'
import type { QueuedChange } from './batch-plan.ts'
import { type AskTools, ask } from './retry.ts'
import type { Statements } from './statements.ts'

/** Which used nonces are kept. What is forgotten is in the database, and read with each consuming. */
export interface NonceWindow {
  /** Notes what time it is, by the changes that have nonces. */
  see(batch: readonly QueuedChange[]): void
  /** Deletes nonces that no node accepts any more, and are more than are spared. */
  sweep(): Promise<void>
}

interface NonceWindowTools extends AskTools {
  readonly statements: Statements
  /** How many nonces are kept however old they are. */
  readonly spare: number
  /** Waits until every writing transaction that is open now has ended, on any node. `false`: that took too long. */
  readonly barrier: () => Promise<boolean>
}

export function nonceWindow({ statements, spare, barrier, ...tools }: NonceWindowTools): NonceWindow {
  /** In milliseconds, of the last change: it may be earlier than those before it. */
  let now: number | undefined
  return {
    see: (batch) => {
      now = batch.findLast(({ change }) => change.nonce !== undefined)?.now ?? now
    },
    sweep: async () => {
      if (now === undefined) return
      const oldest = Math.floor(now / 1000) - NONCES_KEPT_SECONDS
      for (;;) {
        const [row] = (await ask(statements.spanToForget(oldest, spare), tools)).rows
        if (row === undefined) return
        const span = { from: Number(row['first']), before: Number(row['last']) + 1 }
        for (const statement of statements.noteForgotten(span)) await ask(statement, tools)
        // A transaction that began before that was written may still consume what is deleted next.
        if (!(await barrier())) return
        let deleted = 0
        for (let left = 1; left > 0; deleted += left) left = (await ask(statements.forget(span), tools)).rowCount
        // Another node is deleting them.
        if (deleted === 0) return
      }
    },
  }
}
