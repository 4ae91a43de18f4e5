import type { OAuthNonce } from '@tallystick/signing/internal'
import { type ForgottenSpan, isInWindow, MOST_SPANS, NONCES_KEPT_SECONDS, SPAN_REACH_SECONDS } from '../nonce-window.ts'
import type { Readers } from '../sql/dialect.ts'
import type { Queries } from '../sql/tables.ts'
import { type Database, ONE, preparedStatement, slot, slotsOf } from './database.ts'

/** Used nonces, for as long as their timestamp may be accepted, and which seconds were forgotten. */
export interface NonceTable {
  /** Whether the nonce was fresh. @param now Milliseconds since 1970. */
  consume(nonce: OAuthNonce, now: number): boolean
  /** Takes back the nonce that was consumed last, within the same transaction. */
  release(nonce: OAuthNonce): void
  /** Forgets the nonces of one second at most: more at once would hold up the other work of the commit. */
  sweep(): void
  /** Reads again what the tables hold: after a rollback, or once their rows are deleted. */
  reload(): void
}

/** What the tables hold. */
interface Held {
  size: number
  spans: readonly ForgottenSpan[]
}

/** @param spare how many nonces are kept however old they are */
export function nonceTable(database: Database, queries: Queries, spare: number): NonceTable {
  const statements = nonceStatements(database, queries)
  let known: Held | undefined
  /** In seconds: the time of the last nonce, which may be earlier than others before it. */
  let now = 0

  function held(): Held {
    known ??= {
      size: Number(statements.count.get(undefined)?.size ?? 0n),
      spans: statements.spans.all(undefined).map(({ forgotten_from: from, forgotten_before: before }) => {
        return { from: Number(from), before: Number(before) }
      }),
    }
    return known
  }

  function forget(second: number): void {
    const there = held()
    there.spans = withForgotten(there.spans, second)
    there.size -= statements.forget.run(second).changes
    statements.dropSpans.run(undefined)
    for (const span of there.spans) statements.addSpan.run(span)
  }

  return {
    consume: (nonce, at) => {
      now = at / 1000
      const { timestamp } = nonce
      const isForgotten = held().spans.some(({ from, before }) => timestamp >= from && timestamp < before)
      if (isForgotten || !isInWindow(nonce, at)) return false
      const { changes } = statements.insert.run(nonce)
      held().size += changes
      return changes === 1
    },
    release: (nonce) => {
      held().size -= statements.remove.run(nonce).changes
    },
    sweep: () => {
      if (held().size <= spare) return
      const first = statements.firstBefore.get(Math.ceil(now - NONCES_KEPT_SECONDS))
      if (first !== undefined) forget(Number(first.timestamp))
    },
    reload: () => {
      known = undefined
    },
  }
}

const SECOND: Readers<number> = { second: (second) => second }
const SPAN = {
  forgotten_from: ({ from }) => from,
  forgotten_before: ({ before }) => before,
} satisfies Readers<ForgottenSpan>
const NONCE = {
  timestamp: ({ timestamp }) => timestamp,
  consumer_key: ({ consumerKey }) => consumerKey,
  nonce: ({ nonce }) => nonce,
} satisfies Readers<OAuthNonce>

function nonceStatements(database: Database, queries: Queries) {
  const ofNonces = queries.deleteFrom('nonces')
  return {
    count: preparedStatement(
      database,
      {},
      queries.selectFrom('nonces').select(({ fn }) => fn.countAll<bigint>().as('size')),
    ),
    spans: preparedStatement(
      database,
      {},
      queries.selectFrom('forgotten_nonces').selectAll().orderBy('forgotten_from'),
    ),
    dropSpans: preparedStatement(database, {}, queries.deleteFrom('forgotten_nonces')),
    addSpan: preparedStatement(database, SPAN, queries.insertInto('forgotten_nonces').values(slotsOf(SPAN))),
    firstBefore: preparedStatement(
      database,
      SECOND,
      queries
        .selectFrom('nonces')
        .select('timestamp')
        .where('timestamp', '<', slot('second'))
        .orderBy('timestamp')
        .limit(ONE),
    ),
    forget: preparedStatement(database, SECOND, ofNonces.where('timestamp', '=', slot('second'))),
    remove: preparedStatement(
      database,
      NONCE,
      ofNonces
        .where('timestamp', '=', slot('timestamp'))
        .where('consumer_key', '=', slot('consumer_key'))
        .where('nonce', '=', slot('nonce')),
    ),
    insert: preparedStatement(
      database,
      NONCE,
      queries
        .insertInto('nonces')
        .values(slotsOf(NONCE))
        .onConflict((conflict) => conflict.doNothing()),
    ),
  }
}

/** The spans, in their order, with one more second that was forgotten. */
function withForgotten(spans: readonly ForgottenSpan[], second: number): readonly ForgottenSpan[] {
  const near = spans.find(({ from, before }) => second >= from && second < before + SPAN_REACH_SECONDS)
  const grown = { from: near?.from ?? second, before: Math.max(near?.before ?? 0, second + 1) }
  const all = [...spans.filter((each) => each !== near), grown].sort((one, other) => one.from - other.from)
  const [, next] = all
  return all.length > MOST_SPANS && next !== undefined ? [{ from: 0, before: next.before }, ...all.slice(2)] : all
}
