import { setTimeout as pause } from 'node:timers/promises'
import type { Order, Random } from '@tallystick/proof-kit'
import type { ToGateway, ToShop } from './messages.ts'
import { type Place, place } from './place.ts'
import type { Plan } from './plan.ts'
import { till } from './till.ts'
import type { World } from './world.ts'

const GATEWAYS = 3
const SHOPS = 2
const ORDERS_PER_SECOND = 20
/**
 * The pauses between kills. The quick form has seconds for its orders. In the long one a process gets far enough to do some work,
 * and what it was doing when it died is taken up while others die.
 */
const APART_MS = { quick: { least: 100, most: 900 }, long: { least: 300, most: 3700 } }
/** The next is killed only if fewer than this many are down: so some are up for a while, even on a slow machine. */
const MOST_DOWN = 3
const LONGEST_PAUSE_MS = 500
/** The time for kills in the quick form. What is left then is done undisturbed, however slow the machine is. */
const QUICK_CHAOS_MS = 15_000
/** Without an order or a replay in this time it will never end. */
const STUCK_AFTER_MS = 90_000

/** What happened while everything was killed. */
export interface Lived {
  readonly kills: number
  readonly gatewayKills: number
  readonly findings: readonly string[]
}

interface Places {
  readonly gateways: readonly Place<ToGateway>[]
  readonly shops: readonly Place<ToShop>[]
}

/** Sells and replays while processes and the database die, until all is sold and replayed; all are dead at the end. */
export async function liveThrough(world: World, order: Order, plan: Plan): Promise<Lived> {
  const complaints: string[] = []
  const sold: Sold = { paid: () => {} }
  const places = placesIn(world, sold, complaints)
  world.up.gateways = () => originsOf(places.gateways)
  world.up.shops = () => originsOf(places.shops)
  try {
    await allUp(world)
    const { kills, findings } = await work(world, order, { places, sold, plan })
    return { kills: sum(kills), gatewayKills: sum(kills.slice(0, GATEWAYS)), findings: [...findings, ...complaints] }
  } finally {
    await Promise.all([...places.gateways, ...places.shops].map((each) => each.clear()))
  }
}

/** Gets how payments stand. */
interface Sold {
  paid: (number: number, outcome: string) => void
}

function placesIn(world: World, sold: Sold, complaints: string[]): Places {
  const keep = (who: string) => ({
    pauseMs: () => world.random.below(LONGEST_PAUSE_MS),
    onDeath: (said: string) => {
      if (said !== '') complaints.push(`a ${who} complained: ${said}`)
    },
  })
  const startShop = () => world.startShop(0, (number, outcome) => sold.paid(number, outcome))
  return {
    gateways: Array.from({ length: GATEWAYS }, () => place({ ...keep('gateway'), start: () => world.startGateway(0) })),
    shops: Array.from({ length: SHOPS }, () => place({ ...keep('shop'), start: startShop })),
  }
}

interface Work {
  readonly places: Places
  readonly sold: Sold
  readonly plan: Plan
}

async function work(world: World, { random, progress, isQuick }: Order, { places, sold, plan }: Work) {
  let [isOver, isPeace] = [false, false]
  const over = () => isOver
  const counter = till({ shops: places.shops, purchaseOf: world.purchaseOf, random, isOver: over })
  sold.paid = counter.paid
  const replayed = () => world.replays.counts().answered
  const done = () => counter.told() + replayed()

  /** Waits for the turn of an order: orders come no faster than they are replayed. */
  async function turnOf(number: number): Promise<void> {
    await pause(1000 / ORDERS_PER_SECOND)
    while (replayed() < plan.replaysBefore(number) && !isOver) await pause(LOOKED_EVERY_MS)
    isPeace = number >= plan.peaceAt
  }

  const stuck = stuckAfter(done, over, () => progress(done(), plan.orders + plan.replays))
  const calmAt = isQuick ? performance.now() + QUICK_CHAOS_MS : Number.POSITIVE_INFINITY
  const isCalm = () => isOver || isPeace || performance.now() > calmAt
  const apart = isQuick ? APART_MS.quick : APART_MS.long
  const killing = kill([...places.gateways, ...places.shops], { random, apart, isCalm })
  const breaking = world.outages.bring(isCalm)
  const holding = Promise.all(Object.values(world.held).map((each) => each.watch(over)))
  const working = Promise.all([counter.open(plan.orders, turnOf), world.replays.replay(plan.replays, over)])
  const findings = await Promise.race([working.then(() => []), stuck])
  isOver = true
  const [kills] = await Promise.all([killing, breaking, working, holding])
  return { kills, findings }
}

function originsOf(places: readonly Pick<Place<never>, 'origin'>[]): readonly string[] {
  return places.map((each) => each.origin()).filter((origin) => origin !== undefined)
}

const LOOKED_EVERY_MS = 50

async function allUp({ up }: World): Promise<void> {
  const until = performance.now() + STUCK_AFTER_MS
  while (up.gateways().length < GATEWAYS || up.shops().length < SHOPS) {
    if (performance.now() > until) throw new Error('The processes do not start')
    await pause(LOOKED_EVERY_MS)
  }
}

interface Killing {
  readonly random: Random
  readonly apart: { readonly least: number; readonly most: number }
  readonly isCalm: () => boolean
}

/** Kills processes at random. Gives how often each of the places was hit. */
async function kill(
  places: readonly Pick<Place<never>, 'kill' | 'origin'>[],
  { random, apart, isCalm }: Killing,
): Promise<readonly number[]> {
  const kills = places.map(() => 0)
  while (!isCalm()) {
    await pause(apart.least + random.below(apart.most - apart.least))
    const down = random.below(MOST_DOWN)
    while (places.length - originsOf(places).length > down && !isCalm()) await pause(LOOKED_EVERY_MS)
    const at = random.below(places.length)
    if (await places[at]?.kill()) kills[at] = (kills[at] ?? 0) + 1
  }
  return kills
}

/** Resolves with what is wrong if nothing was done for long; with nothing when it is over. */
async function stuckAfter(done: () => number, isOver: () => boolean, tick: () => void): Promise<readonly string[]> {
  let [before, since] = [done(), performance.now()]
  while (!isOver()) {
    await pause(LOOKED_EVERY_MS)
    tick()
    if (done() !== before) [before, since] = [done(), performance.now()]
    if (performance.now() - since > STUCK_AFTER_MS) return [`nothing was sold or replayed for ${STUCK_AFTER_MS} ms`]
  }
  return []
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}
