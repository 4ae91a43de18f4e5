/**
 * kill -9 of the shop in a loop, under load, on one SQLite file.
 *
 *     pnpm prove shop-kill9 [--quick] [--runs n] [--seed n]
 */
import { setTimeout as pause } from 'node:timers/promises'
import { inFolder, type Order, type Outcome, prove, withCommas } from '@tallystick/proof-kit'
import { inspectShop } from './shop-kill9/inspect-shop.ts'
import { type ShopWorld, shopWorld } from './shop-kill9/shop-world.ts'

const MINUTE = 60_000
const CUSTOMERS = 12
/** The gateway asks its bank again in its own time, which another proof covers: so the bank is always reached here. */
const TROUBLES = { notReached: 0, answerLost: 0, declined: 10 }
const LONGEST_LIFE_MS = 300
/** The percentage of processes that are killed while they start. */
const KILLED_AT_START = 15
const LONGEST_START_MS = 400
/** The time between two processes by their clocks: what a dead process leased is free again. */
const APART_MS = MINUTE / 3
/**
 * An intent marked as being sent that never was is presumed absent after three answers, an hour apart: so the end takes rounds.
 */
const DRAINS = 5
const DRAIN_APART_MS = 80 * MINUTE

await prove({
  name: 'shop-kill9',
  meaning:
    'A shop with its tables and the journal in one SQLite file is killed with SIGKILL under load, at a random moment, and\n' +
    'started again; the gateway and its bank live on. In the end every intent must be what the bank says, no invoice be\n' +
    'charged twice, no charge be unknown, and what the handler writes be there once for each final intent.',
  runs: { of: 'kills', long: 500, quick: 10 },
  run: (order) =>
    inFolder('shop-kill9', async (folder) => {
      const world = await shopWorld(folder, order.random, TROUBLES)
      try {
        return await killInLoop(order, world)
      } finally {
        world.callTo([])
        await world.gateway.close()
      }
    }),
})

async function killInLoop(order: Order, world: ShopWorld): Promise<Outcome> {
  const complaints: string[] = []
  // One process that ends undisturbed leaves what Node compiled: the others start as fast as a built shop.
  await drain(world)
  for (let kills = 0; kills < order.runs; kills++) {
    complaints.push(...(await liveAndDie(order, world)))
    order.progress(kills + 1, order.runs)
  }
  for (let drains = 0; drains < DRAINS; drains++) await drain(world)
  const { intents, effects, findings } = inspectShop(world.file, world.book)
  const all = [...complaints, ...findings]
  return {
    ok: all.length === 0,
    figure:
      `${withCommas(order.runs)} kills, ${withCommas(intents)} intents, ${withCommas(effects)} effects of the handler, ` +
      `${withCommas(world.book.length)} entries at the bank: ${all.length} lost, doubled or wrong`,
    findings: all,
  }
}

async function liveAndDie({ random }: Order, world: ShopWorld): Promise<readonly string[]> {
  const child = world.next({ laterMs: APART_MS, customers: CUSTOMERS })
  if (random.below(100) < KILLED_AT_START) {
    await pause(random.below(LONGEST_START_MS))
  } else {
    const origin = await child.origin
    if (origin !== undefined) world.callTo([origin])
    await pause(random.below(LONGEST_LIFE_MS))
  }
  await child.kill()
  world.callTo([])
  return child.complaints() === '' ? [] : [child.complaints()]
}

/** Lets the shop finish undisturbed. */
async function drain(world: ShopWorld): Promise<void> {
  const child = world.next({ laterMs: DRAIN_APART_MS, customers: 0 })
  const origin = await child.origin
  if (origin === undefined) throw new Error(`It does not start: ${child.complaints()}`)
  world.callTo([origin])
  await world.gateway.settled()
  await child.ask('finish')
  await child.stop()
}
