import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Urls } from './databases.ts'

/** What is under way now, and how far each item is. Waits for the database if that is away. */
export type InFlight = () => Promise<ReadonlyMap<string, string>>

export type Row = Readonly<Record<string, unknown>>

export interface Watch {
  /** Operations that were sent to the bank and have no outcome, and which node has them. */
  readonly operations: InFlight
  /** The same, and until when that node counts as alive. */
  readonly heldOperations: InFlight
  /**
   * Payments of the shop that were sent a short time ago, are not final, and that no process has leased: each is checked every
   * few seconds. What a dead process had leased waits for the end of its lease.
   */
  readonly intents: InFlight
  /** Payments of the shop that a process is sending or checking under its lease. */
  readonly leased: InFlight
  /** The rows of a statement. */
  rows(database: keyof Urls, statement: string): Promise<readonly Row[]>
  close(): Promise<void>
}

const AGAIN_AFTER_MS = 20
const RECENT_MS = 60_000

export function watch(urls: Urls): Watch {
  const pools = { gateway: poolOf(urls.gateway), shop: poolOf(urls.shop) }

  async function rows(database: keyof Urls, statement: string): Promise<readonly Row[]> {
    for (;;) {
      try {
        return (await pools[database].query<Row>(statement)).rows
      } catch (error) {
        if (error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '')) throw error
        await pause(AGAIN_AFTER_MS)
      }
    }
  }

  const states = async (database: keyof Urls, statement: string) =>
    new Map((await rows(database, statement)).map(({ id, state }) => [String(id), String(state)]))
  return {
    operations: () =>
      states(
        'gateway',
        `select order_seq || ' ' || operation_id as id, sent_by as state from tallystick.operations where status = 'sent'`,
      ),
    heldOperations: () =>
      states(
        'gateway',
        `select order_seq || ' ' || operation_id as id, concat_ws(' ', node_id, alive_until) as state
         from tallystick.operations join tallystick.nodes on node_id = sent_by where status = 'sent'`,
      ),
    intents: () =>
      states(
        'shop',
        `select intent_id as id, concat(state, looked_at) as state from journal_intents
         where state in ('UNKNOWN', 'ACCEPTED') and lease_until is null and sent_at > ${Date.now() - RECENT_MS}`,
      ),
    leased: () =>
      states(
        'shop',
        `select intent_id as id, concat_ws(' ', state, version, lease_until) as state from journal_intents
         where lease_until is not null`,
      ),
    rows,
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
    },
  }
}

function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => {})
  return pool
}
