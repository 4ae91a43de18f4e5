/** Killed at any moment, the shop ends every payment correctly, and its handler takes effect once. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { checkShop } from './harness/check-shop.ts'
import { type ShopProcess, untilDone } from './harness/processes.ts'
import { type ShopWorld, shopWorld } from './harness/shop-world.ts'

const MINUTE = 60_000
/** How many customers pay at once, each one payment after the other, without end. */
const CUSTOMERS = 12
/** The gateway asks its bank again in its own time, which another proof covers: so the bank is always reached here. */
const TROUBLES = { notReached: 0, answerLost: 0, declined: 10 }
/** How many payments are answered at least, at most, before the time for more begins. */
const ANSWERED_FIRST = 8
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

let [orders, answers] = [0, 0]

await prove({
  name: 'shop-kill9',
  meaning:
    'A shop with its tables and the journal in one SQLite file is killed with SIGKILL under load, at a random moment, and\n' +
    'started again; the gateway and its bank live on. In the end every intent must be what the bank says, no invoice be\n' +
    'charged twice, no charge be unknown, and what the handler writes be there once for each final intent.',
  runs: { of: 'kills', long: 500, quick: 10 },
  run: async (order) => await killInLoop(order, await shopWorld(order, TROUBLES)),
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
  const database = new DatabaseSync(world.file)
  const { intents, effects, reviewed, findings } = await checkShop((sql) => database.prepare(sql).all(), world.journal)
  database.close()
  const all = [...complaints, ...findings, ...(reviewed === 0 ? [] : [`${reviewed} intents are in review`])]
  return {
    figure:
      counted`${order.runs} kills, ${intents.length} intents, ${effects} effects of the handler, ` +
      counted`${world.journal.length} entries at the bank: ${all.length} lost, doubled or wrong`,
    findings: all,
  }
}

async function liveAndDie({ random }: Order, world: ShopWorld): Promise<readonly string[]> {
  const child = world.next(APART_MS)
  if (random.below(100) < KILLED_AT_START) {
    await pause(random.below(LONGEST_START_MS))
  } else {
    const origin = await child.origin
    if (origin !== undefined) world.callTo([origin])
    const enough = answers + random.below(ANSWERED_FIRST)
    void trade(child)
    await untilDone(() => answers >= enough)
    await pause(random.below(LONGEST_LIFE_MS))
  }
  await child.kill()
  world.callTo([])
  return child.complaints()
}

async function trade(child: ShopProcess): Promise<void> {
  await child.call('payWhatNeverLeft')
  for (let customer = 0; customer < CUSTOMERS; customer++) void payWithoutEnd(child)
}

async function payWithoutEnd(child: ShopProcess): Promise<void> {
  while ((await child.call('pay', orders++)) !== undefined) answers++
}

/** Lets the shop finish undisturbed. */
async function drain(world: ShopWorld): Promise<void> {
  const child = world.next(DRAIN_APART_MS)
  world.callTo([await child.listening()])
  await world.gateway.settled()
  await child.call('payWhatNeverLeft')
  await child.call('finish')
  await child.stop()
}
