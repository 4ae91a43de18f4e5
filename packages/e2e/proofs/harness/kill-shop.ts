import { setTimeout as pause } from 'node:timers/promises'
import type { Order } from '@tallystick/proof-kit'
import { type ShopProcess, untilDone } from './processes.ts'
import type { ShopWorld } from './shop-world.ts'

const MINUTE = 60_000
const LONGEST_LIFE_MS = 300
/** The percentage of processes that are killed while they start. */
const KILLED_AT_START = 15
/** The time between two processes by their clocks: what a dead process leased is free again. */
const APART_MS = MINUTE / 3
/**
 * An intent marked as being sent that never was is presumed absent after three answers, an hour apart: so the end takes rounds.
 */
const ROUNDS = 5
const ROUND_MS = 80 * MINUTE

/** The gateway asks its bank again in its own time, which another proof covers: so the bank is always reached here. */
export const TROUBLES = { notReached: 0, answerLost: 0, declined: 10 }

/** How busy the shop is. */
export interface Load {
  /** How many customers pay at once, each one payment after the other, without end. */
  readonly customers: number
  /** How many payments are answered at least, at most, before the time for more begins. */
  readonly answeredFirst: number
  readonly longestStartMs: number
}

let [orders, answers] = [0, 0]

/**
 * Kills a shop under load again and again, and lets it finish.
 *
 * @returns what its processes complained of
 */
export async function killShop(order: Order, world: ShopWorld, load: Load): Promise<readonly string[]> {
  const complaints: string[] = []
  // One process that ends undisturbed leaves what Node compiled: the others start as fast as a built shop.
  complaints.push(...(await drain(world)))
  for (let kills = 0; kills < order.runs; kills++) {
    complaints.push(...(await liveAndDie(order, world, load)))
    order.progress(kills + 1, order.runs)
  }
  complaints.push(...(await drain(world, ROUNDS)))
  return complaints
}

async function liveAndDie({ random }: Order, world: ShopWorld, load: Load): Promise<readonly string[]> {
  const child = world.next(APART_MS)
  if (random.below(100) < KILLED_AT_START) {
    await pause(random.below(load.longestStartMs))
  } else {
    const origin = await child.origin
    if (origin !== undefined) world.callTo([origin])
    const enough = answers + random.below(load.answeredFirst)
    void trade(child, load)
    await untilDone(() => answers >= enough)
    await pause(random.below(LONGEST_LIFE_MS))
  }
  await child.kill()
  world.callTo([])
  return child.complaints()
}

async function trade(child: ShopProcess, { customers }: Load): Promise<void> {
  await child.call('payWhatNeverLeft')
  for (let customer = 0; customer < customers; customer++) void payWithoutEnd(child)
}

async function payWithoutEnd(child: ShopProcess): Promise<void> {
  while ((await child.call('pay', orders++)) !== undefined) answers++
}

/** Lets the shop finish undisturbed. */
async function drain(world: ShopWorld, rounds = 1): Promise<readonly string[]> {
  const child = world.next(ROUND_MS)
  world.callTo([await child.listening()])
  for (let round = 1; round <= rounds; round++) {
    await world.gateway.settled()
    await child.call('payWhatNeverLeft')
    await child.call('finish')
    await child.call('advance', ROUND_MS)
  }
  await child.stop()
  return child.complaints()
}
