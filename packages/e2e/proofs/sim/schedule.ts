import type { Intent } from '@tallystick/client/ports'
import type { Journal, ReviewDecision } from '@tallystick/journal'
import { keyText } from '../../../journal/src/intents/business-key.ts'
import { carriedOut, judge } from './judge.ts'
import type { Effects } from './killable.ts'
import { type Keys, LOGIN, type World, worldOf } from './world.ts'

const MINUTE = 60_000
/** For how many steps the network is troubled. Then everything arrives, for as long as it takes. */
const TROUBLED_STEPS = 4
const LEAST_CALM_STEPS = 6
const MOST_CALM_STEPS = 40
const CALM_STEP_MS = 3 * MINUTE
/** What is still open after this many steps, or seems hours old by a wrong clock, is checked every hour. */
const SHORT_CALM_STEPS = 30
/** So the steps are longer from then on. */
const LATE_STEP_MS = 30 * MINUTE
/** What seems absent is checked within this many steps. */
const QUIET_STEPS = 3
/** Until this step, shortly into the calm, the issuer takes money back. */
const CHARGEBACK_STEPS = TROUBLED_STEPS + 2

export interface ScheduleResult {
  readonly findings: readonly string[]
  readonly mishaps: number
  readonly crashes: number
  readonly attempts: number
}

/** One schedule from its seed, judged at its end. */
export async function runSchedule(seed: number, keys: Keys): Promise<ScheduleResult> {
  const world = worldOf(seed, keys)
  await liveThrough(world)
  const { store, shops, wire } = world
  const findings = [...(await judge(world)), ...shops.flatMap((shop) => shop.findings)]
  const attempts = Object.values(await store.counts()).reduce((sum, some) => sum + some, 0)
  const crashes = shops.reduce((sum, shop) => sum + shop.crashes(), 0)
  return { findings, mishaps: wire.mishaps(), crashes, attempts }
}

async function liveThrough(world: World): Promise<void> {
  const { random } = world
  for (let step = 0; step < TROUBLED_STEPS; step++) await goOn(world, random.below(2 * MINUTE), step)
  world.calmDown()
  let [seen, quietSteps] = ['', 0]
  let isOver = false
  const shortSteps = world.clockIsWrongBy === 'hours' ? 0 : SHORT_CALM_STEPS
  for (let calm = 0; calm < MOST_CALM_STEPS && !isOver; calm++) {
    await goOn(world, calm < shortSteps ? CALM_STEP_MS : LATE_STEP_MS, TROUBLED_STEPS + calm)
    const before = seen
    seen = await stateOf(world)
    quietSteps = seen === before && !isOpen(world, seen) ? quietSteps + 1 : 0
    if (calm >= LEAST_CALM_STEPS && quietSteps >= QUIET_STEPS) isOver = await staysSo(seen, world)
  }
  if (!isOver) await staysSo(seen, world)
}

/** Whether nothing begins any more: the merchant may try again at the last moment, and that has to end as well. */
async function staysSo(seen: string, world: World): Promise<boolean> {
  await world.clock.advance(5 * MINUTE)
  await world.gateway.settled()
  return (await stateOf(world)) === seen
}

async function goOn(world: World, milliseconds: number, step: number): Promise<void> {
  const { clock, running } = world
  await clock.advance(milliseconds)
  await askAgain(world)
  const somewhere = running()
  if (somewhere !== undefined) void settleReviews(somewhere.journal, world)
  if (step < CHARGEBACK_STEPS) await chargeBack(world)
  await clock.advance(1)
}

/** The merchant asks how things stand, perhaps on both machines at once, and customers come back from the gateway. */
async function askAgain({ shops, random, store, scenarios, goOn: goOnWithAll }: World): Promise<void> {
  for (const { journal } of shops.flatMap((shop) => shop.current() ?? [])) {
    if (random.below(3) > 0) goOnWithAll(journal)
    const [first] = await store.attemptsOf(keyText(random.pick(scenarios).opening.key))
    if (random.below(4) === 0) void journal.browserReturn(first?.clientOrderId)
  }
}

/** The issuer takes something back, if callbacks reach the merchant. */
async function chargeBack({ isDeaf, orders, random, gateway }: World): Promise<void> {
  if (isDeaf) return
  for (const { orderId } of await orders.recentOrders(LOGIN, 5)) {
    const amount = random.below(2) === 0 ? '0.37' : undefined
    if (random.below(12) === 0) await gateway.chargeback(orderId, amount)
  }
}

async function stateOf({ store, effects }: World): Promise<string> {
  return JSON.stringify([await store.counts(), effects.length])
}

/** Whether something may still happen without a further request. */
function isOpen({ wire }: World, state: string): boolean {
  return wire.isBusy() || /SENDING|UNKNOWN|ACCEPTED|REVIEW/.test(state)
}

/** After this time no request is on its way any more. */
const OVER_MS = 16 * 60_000
/** Later the status checks are so far apart that the schedule ends before they decide. */
const ASKED_WITHIN_MS = 30 * 60_000

/** Acts as an operator who looks at the bank's book and settles what is in review. */
export async function settleReviews(journal: Journal<Effects>, world: World): Promise<void> {
  for (const scenario of world.scenarios) {
    for (const step of [scenario.opening, ...scenario.others]) {
      const last = (await world.store.attemptsOf(keyText(step.key))).at(-1)
      if (last?.state !== 'REVIEW' || world.random.below(3) === 0) continue
      const isDone = carriedOut(step, await world.orders.orderById(last.orderId ?? ''), world).length > 0
      const decision = decisionOf(last, isDone, world)
      if (decision !== undefined)
        await journal.resolveReview(last.intentId, decision, 'seen at the bank').catch(onlyMisuse)
    }
  }
}

function decisionOf({ sentAt = 0 }: Intent, isDone: boolean, { random, clock }: World): ReviewDecision | undefined {
  const age = clock.now() - sentAt
  if (age < ASKED_WITHIN_MS && random.below(2) === 0) return 'ask-again'
  if (isDone) return 'take-status'
  return age > OVER_MS ? 'nothing-charged' : undefined
}

/** Accepts only a TypeError: the status shows no outcome of the intent, and a later round decides it. */
function onlyMisuse(error: unknown): void {
  if (!(error instanceof TypeError)) throw error
}
