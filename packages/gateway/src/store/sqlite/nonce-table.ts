import type { BurnableNonce } from '@tallystick/signing'
import { NONCE_WINDOW_SECONDS } from '../nonce-window.ts'
import type { Readers } from '../sql/readers.ts'
import type { Queries } from '../sql/tables.ts'
import type { Database } from './database.ts'
import { hotStatement, slot, slotsOf } from './hot-statement.ts'
import { ONE } from './limits.ts'

/** Used nonces, for as long as their timestamp is accepted. If the clock is set back, it refuses nonces, and forgets none. */
export interface NonceTable {
  /** Whether the nonce was fresh. @param now Milliseconds since 1970. */
  burn(nonce: BurnableNonce, now: number): boolean
  /** Takes back the nonce that was burned last, within the same transaction. */
  unburn(nonce: BurnableNonce): void
  /** Forgets the nonces of one second that is over: more at once would hold up the other work of the commit. */
  sweep(): void
  /** Starts anew once the rows are deleted: no nonce counts as used. */
  forget(): void
}

export function nonceTable(database: Database, queries: Queries): NonceTable {
  const statements = nonceStatements(database, queries)
  /** Seconds before this one are over. */
  let oldest = Number(statements.forgottenBefore.get(undefined)?.forgotten_before ?? 0n)
  /** The value of `oldest` before the last nonce was burned. */
  let oldestBefore = oldest
  /** Nothing is left of the seconds before this one. */
  let sweptBefore = 0

  return {
    burn: (nonce, now) => {
      const { timestamp } = nonce
      oldestBefore = oldest
      oldest = Math.max(oldest, Math.ceil(now / 1000 - NONCE_WINDOW_SECONDS))
      if (timestamp < oldest || timestamp > now / 1000 + NONCE_WINDOW_SECONDS) return false
      return statements.insert.run(nonce).changes === 1
    },
    unburn: (nonce) => {
      statements.remove.run(nonce)
      oldest = oldestBefore
    },
    sweep: () => {
      if (sweptBefore >= oldest) return
      const over = statements.firstBefore.get(oldest)
      if (over === undefined) {
        sweptBefore = oldest
        return
      }
      const second = Number(over.timestamp) + 1
      statements.forgetBefore.run(second)
      statements.setForgottenBefore.run(second)
    },
    forget: () => {
      statements.setForgottenBefore.run(0)
      oldest = 0
      sweptBefore = 0
    },
  }
}

const SECOND: Readers<number> = { second: (second) => second }
const NONCE = {
  timestamp: ({ timestamp }) => timestamp,
  consumer_key: ({ consumerKey }) => consumerKey,
  nonce: ({ nonce }) => nonce,
} satisfies Readers<BurnableNonce>

function nonceStatements(database: Database, queries: Queries) {
  const ofNonces = queries.deleteFrom('nonces')
  return {
    forgottenBefore: hotStatement(database, {}, queries.selectFrom('nonce_window').select('forgotten_before')),
    setForgottenBefore: hotStatement(
      database,
      SECOND,
      queries.updateTable('nonce_window').set({ forgotten_before: slot('second') }),
    ),
    firstBefore: hotStatement(
      database,
      SECOND,
      queries
        .selectFrom('nonces')
        .select('timestamp')
        .where('timestamp', '<', slot('second'))
        .orderBy('timestamp')
        .limit(ONE),
    ),
    forgetBefore: hotStatement(database, SECOND, ofNonces.where('timestamp', '<', slot('second'))),
    remove: hotStatement(
      database,
      NONCE,
      ofNonces
        .where('timestamp', '=', slot('timestamp'))
        .where('consumer_key', '=', slot('consumer_key'))
        .where('nonce', '=', slot('nonce')),
    ),
    insert: hotStatement(
      database,
      NONCE,
      queries
        .insertInto('nonces')
        .values(slotsOf(NONCE))
        .onConflict((conflict) => conflict.doNothing()),
    ),
  }
}
