import { setTimeout as pause } from 'node:timers/promises'
import type { KillableProcess, Order, Random } from '@tallystick/proof-kit'
import type { ShopProcess } from '../harness/processes.ts'
import { breakServer, watchHeld } from './watch.ts'
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
const LOOKED_EVERY_MS = 50

/**
 * While processes are killed, a replay mostly reaches none, or waits for the server. So the long form has a fifth more orders
 * after that, and makes most of its replays then, of older nonces as well. The quick form has no time for that.
 */
const LONG = { underFire: 4, inPeace: 80, peaceful: 0.2 }
const QUICK = { underFire: 3, inPeace: 0, peaceful: 0 }
/** By how many orders the replays may be behind: a nonce is young only for a while. */
const MOST_AHEAD = 20

/** A customer without an answer for this long presses again. */
const PATIENCE_MS = 3000
const AGAIN_AFTER_MS = 100
/** The percentage of customers who press twice, and reach both shops. */
const TWICE = 10
/** Answers after which nothing is decided about the payment: the customer presses again. */
const AGAIN: readonly (string | undefined)[] = ['threw', 'notSent', undefined]

/** How many orders are sold in all. */
export function ordersOf({ runs, isQuick }: Order): number {
  return runs + Math.floor(runs * (isQuick ? QUICK : LONG).peaceful)
}

export type Lived = Awaited<ReturnType<typeof liveThrough>>

/** Sells and replays while processes and the database die, until all is sold and replayed; all are dead at the end. */
export async function liveThrough(world: World, order: Order) {
  const { random } = order
  const complaints: string[] = []
  const keep = <Process extends KillableProcess<never>>(who: string, start: () => Process) =>
    place(
      start,
      () => random.below(LONGEST_PAUSE_MS),
      (said) => complaints.push(...said.map((each) => `a ${who} complained: ${each}`)),
    )
  const gateways = Array.from({ length: GATEWAYS }, () => keep('gateway', () => world.startGateway(0)))
  const shops = Array.from({ length: SHOPS }, () => keep('shop', () => world.startShop(0)))
  const all = [...gateways, ...shops]
  world.up.gateway = () => originsOf(gateways)
  world.up.shop = () => originsOf(shops)
  try {
    const until = performance.now() + STUCK_AFTER_MS
    while (originsOf(all).length < all.length) {
      if (performance.now() > until) throw new Error('The processes do not start')
      await pause(LOOKED_EVERY_MS)
    }
    const { kills, findings, ...watched } = await work(world, order, { gateways, shops })
    const gatewayKills = sum(kills.slice(0, GATEWAYS))
    return { ...watched, kills: sum(kills), gatewayKills, findings: [...findings, ...complaints] }
  } finally {
    await Promise.all(all.map((each) => each.clear()))
  }
}

interface Places {
  readonly gateways: readonly AnyPlace[]
  readonly shops: readonly Place<ShopProcess>[]
}

async function work(world: World, order: Order, { gateways, shops }: Places) {
  const { runs, progress, isQuick } = order
  const { underFire, inPeace } = isQuick ? QUICK : LONG
  const due = (number: number) => Math.min(number, runs) * underFire + Math.max(0, number - runs) * inPeace
  const [orders, replays] = [ordersOf(order), due(ordersOf(order))]
  let [isOver, isPeace, served] = [false, false, 0]
  const over = () => isOver
  const replayed = () => world.replays.counts().answered
  const done = () => served + replayed()

  /** Orders come no faster than they are replayed. */
  async function sell(): Promise<void> {
    const customers: Promise<void>[] = []
    for (let number = 0; number < orders && !isOver; number++) {
      await pause(1000 / ORDERS_PER_SECOND)
      while (replayed() < due(Math.max(0, number - MOST_AHEAD)) && !isOver) await pause(LOOKED_EVERY_MS)
      isPeace = number >= runs
      customers.push(checkout(number, shops, order.random, over).then((isServed) => void (isServed && served++)))
    }
    await Promise.all(customers)
  }

  const stuck = stuckAfter(done, over, () => progress(done(), orders + replays))
  const calmAt = isQuick ? performance.now() + QUICK_CHAOS_MS : Number.POSITIVE_INFINITY
  const isCalm = () => isOver || isPeace || performance.now() > calmAt
  const killing = kill([...gateways, ...shops], order, isCalm)
  const breaking = breakServer(world, order, isCalm)
  const holding = watchHeld(world, over)
  const working = Promise.all([sell(), world.replays.replay(replays, over)])
  const findings = await Promise.race([working.then(() => []), stuck])
  isOver = true
  const [kills, outages, heldMs] = await Promise.all([killing, breaking, holding, working])
  return { kills, outages, heldMs, findings }
}

/** A customer presses the button until a shop has told the state of the payment. Gives whether one has. */
async function checkout(number: number, shops: Places['shops'], random: Random, isOver: () => boolean) {
  for (;;) {
    const first = random.below(shops.length)
    const those = random.below(100) < TWICE ? shops : shops.slice(first, first + 1)
    // A shop that dies says nothing: the customer waits.
    const impatience = pause(PATIENCE_MS, undefined)
    const told = those.map(async (shop) => (await shop.present()?.call('pay', number)) ?? (await impatience))
    const outcome = await Promise.race([...told, impatience])
    if (!AGAIN.includes(outcome)) return true
    if (isOver()) return false
    await pause(AGAIN_AFTER_MS)
  }
}

type Place<Process extends KillableProcess<never>> = ReturnType<typeof place<Process>>
type AnyPlace = Pick<Place<KillableProcess<never>>, 'origin' | 'kill'>

/**
 * A place for one process, and for the next one when it has died.
 *
 * @param onDeath called with the error output of each process that has died
 */
function place<Process extends KillableProcess<never>>(
  start: () => Process,
  pauseMs: () => number,
  onDeath: (complaints: readonly string[]) => void,
) {
  let present: Process | undefined
  let origin: string | undefined
  let isCleared = false

  async function keep(): Promise<void> {
    while (!isCleared) {
      const running = start()
      present = running
      origin = await running.origin
      await running.ended
      origin = undefined
      present = undefined
      onDeath(running.complaints())
      if (!isCleared) await pause(pauseMs())
    }
  }

  const kept = keep()
  /** kill -9 of the process, wherever it is in its start or work. The next one starts after a pause. Gives whether there was one. */
  const kill = async () => {
    origin = undefined
    const victim = present
    await victim?.kill()
    return victim !== undefined
  }
  return {
    /** Where the process listens now. `undefined`: none does. */
    origin: () => origin,
    /** `undefined`: none is there just now. */
    present: () => present,
    kill,
    /** kill -9 of the process. No other one starts. */
    clear: async () => {
      isCleared = true
      await kill()
      await kept
    },
  }
}

function originsOf(places: readonly AnyPlace[]): readonly string[] {
  return places.map((each) => each.origin()).filter((origin) => origin !== undefined)
}

/** Kills processes at random. Gives how often each of the places was hit. */
async function kill(places: readonly AnyPlace[], { random, isQuick }: Order, isCalm: () => boolean) {
  const apart = APART_MS[isQuick ? 'quick' : 'long']
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
