import { setTimeout as pause } from 'node:timers/promises'
import type { Order } from '@tallystick/proof-kit'
import type { Half, World } from './world.ts'

/** What is under way now, by id, and how far each item is. */
const UNDER_WAY = {
  /** Operations that were sent to the bank and have no outcome, and which node has them. */
  gateway: `select order_seq || ' ' || operation_id as id, sent_by as state from tallystick.operations where status = 'sent'`,
  /**
   * Payments that were sent a short time ago, are not final, and that no process has leased: each is checked every few seconds.
   * What a dead process had leased waits for the end of its lease.
   */
  shop: `select intent_id as id, concat(state, looked_at) as state from journal_intents where state in ('UNKNOWN', 'ACCEPTED')
    and lease_until is null and sent_at > (extract(epoch from clock_timestamp()) - 60) * 1000`,
}
/** What a process holds by a lease, with the lease. */
const HELD = {
  gateway: `select order_seq || ' ' || operation_id as id, concat_ws(' ', node_id, alive_until) as state
    from tallystick.operations join tallystick.nodes on node_id = sent_by where status = 'sent'`,
  shop: `select intent_id as id, concat_ws(' ', state, version, lease_until) as state from journal_intents
    where lease_until is not null`,
}

async function statesOf({ rows }: World, half: Half, statement: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await rows(half, statement)).map(({ id, state }) => [String(id), String(state)]))
}

const HELD_LOOKED_EVERY_MS = 100

/**
 * Watches until it is over. Gives the longest time for which anything held neither went on nor had its lease renewed. A living
 * process renews it every few seconds, so this is the time from a dead process's last sign of life until another one took up
 * its work. It starts over while there is no process that could.
 */
export async function watchHeld(world: World, isOver: () => boolean): Promise<Record<Half, number>> {
  const longest = { gateway: 0, shop: 0 }
  await Promise.all(
    (['gateway', 'shop'] as const).map(async (half) => {
      const since = new Map<string, { readonly state: string; readonly at: number }>()
      while (!isOver()) {
        const now = await statesOf(world, half, HELD[half])
        const at = performance.now()
        if (world.up[half]().length === 0) since.clear()
        for (const [id, state] of since) {
          longest[half] = Math.max(longest[half], at - state.at)
          if (now.get(id) !== state.state) since.delete(id)
        }
        for (const [id, state] of now) if (!since.has(id)) since.set(id, { state, at })
        await pause(HELD_LOOKED_EVERY_MS)
      }
    }),
  )
  return longest
}

const UP_MS = { least: 1500, most: 5000 }
const DOWN_MS = { least: 50, most: 2000 }
const LOOKED_EVERY_MS = 25
/** For how long it watches whether work goes on. The quick form judges no time. */
const PATIENCE_MS = { long: 60_000, quick: 5000 }

/**
 * Stops PostgreSQL as if its machine had lost its power, and starts it again, until calm. Resolves when it is known how work
 * went on after the last time.
 */
export async function breakServer(world: World, { random, isQuick }: Order, isCalm: () => boolean) {
  const patienceMs = PATIENCE_MS[isQuick ? 'quick' : 'long']
  /** Until work under way went on: the whole patience if it did not. */
  const longestMs = { gateway: 0, shop: 0 }
  const between = ({ least, most }: typeof UP_MS) => pause(least + random.below(most - least))

  /** Waits until anything of what is under way now goes on. Further outages may come in between. */
  async function untilMoved(half: Half): Promise<void> {
    const since = performance.now()
    const before = await statesOf(world, half, UNDER_WAY[half])
    if (before.size === 0) return
    let [after, isMoved] = [0, false]
    while (after < patienceMs && !isMoved) {
      await pause(LOOKED_EVERY_MS)
      const now = await statesOf(world, half, UNDER_WAY[half])
      after = performance.now() - since
      isMoved = [...before].some(([id, state]) => now.get(id) !== state)
    }
    longestMs[half] = Math.max(longestMs[half], isMoved ? after : patienceMs)
  }

  const watching: Promise<void>[] = []
  let count = 0
  for (;;) {
    await between(UP_MS)
    if (isCalm()) break
    await world.server.stop('immediate')
    await between(DOWN_MS)
    await world.server.start()
    count++
    watching.push(untilMoved('gateway'), untilMoved('shop'))
  }
  await Promise.all(watching)
  return { count, longestMs }
}
