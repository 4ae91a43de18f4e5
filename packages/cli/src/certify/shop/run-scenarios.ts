import type { Recording } from '@tallystick/gateway'
import type { World } from '../../world.ts'
import type { ShopSandbox } from './sandbox.ts'
import type { Scenario } from './scenario.ts'
import type { Shop } from './shop.ts'
import { Trial, type TrialParts } from './trial.ts'
import { CannotJudge, COSTS, type Cost, Wrong } from './verdict.ts'

/** What came of a scenario. */
export interface Result {
  readonly scenario: Scenario
  readonly verdict: 'right' | 'wrong' | 'cannot be judged'
  /** What the shop does instead, or what was missing. */
  readonly detail?: string
  /** What a wrong shop costs here. */
  readonly cost?: Cost
  /** What happened, a line each. */
  readonly lines: readonly string[]
  /** The events of the recording that were written meanwhile. */
  readonly events: { readonly from: number; readonly to: number }
  /** The orders at the gateway, by the gateway's ids. */
  readonly orders: readonly string[]
  readonly milliseconds: number
}

interface Run {
  readonly world: World
  readonly shop: Shop
  readonly sandbox: ShopSandbox
  readonly recording: Recording
  /** How many scenarios run beside each other. */
  readonly concurrency: number
  readonly onResult: (result: Result) => void
}

/** Runs scenarios: the first alone, those that stop the shop one after the other at the end, and the others beside each other. */
export async function runScenarios(scenarios: readonly Scenario[], run: Run): Promise<readonly Result[]> {
  const results: Result[] = []
  const turns = beginTurns(run.world)
  let isNamed = false
  const parts: TrialParts = {
    ...run,
    beginTurn: turns.take,
    isNamed: () => isNamed,
    nextNumber: numbersFrom(run.world.now()),
  }
  const one = async (scenario: Scenario) => {
    const { result, trial } = await resultOf(scenario, parts, run)
    if (results.length === 0) isNamed = trial.isNamed
    results.push(result)
    run.onResult(result)
    return result
  }
  const [first, ...others] = scenarios
  if (first === undefined) return results
  await one(first)
  const queue = others.filter(({ isAlone }) => !isAlone)
  const workers = Array.from({ length: Math.min(run.concurrency, queue.length) }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next)
  })
  await Promise.all(workers)
  for (const scenario of others) if (scenario.isAlone) await one(scenario)
  return results
}

async function resultOf(scenario: Scenario, parts: TrialParts, { world, recording }: Run) {
  const started = world.now()
  const from = recording.lastId + 1
  const trial = new Trial(parts, scenario.settings)
  const judged = await verdictOf(scenario, trial)
  const { orders } = await trial.money()
  await trial.close()
  const result: Result = {
    scenario,
    ...judged,
    lines: trial.lines,
    events: { from, to: recording.lastId },
    orders: orders.map(({ orderId }) => orderId),
    milliseconds: world.now() - started,
  }
  return { result, trial }
}

async function verdictOf(scenario: Scenario, trial: Trial): Promise<Pick<Result, 'verdict' | 'detail' | 'cost'>> {
  try {
    await scenario.run(trial)
    return { verdict: 'right' }
  } catch (error) {
    if (error instanceof CannotJudge) return { verdict: 'cannot be judged', detail: error.message }
    if (error instanceof Wrong) return { verdict: 'wrong', detail: error.message, cost: error.cost ?? scenario.cost }
    throw error
  }
}

export function costOf({ cost }: Result): string | undefined {
  return cost && COSTS[cost]
}

/** Of all runs: a shop may remember the orders of the last one. */
function numbersFrom(now: number): () => number {
  let number = Math.floor(now / 100) % 1_000_000_000
  return () => ++number
}

/** A payment that begins may be known by nothing but its time. After this long it no longer keeps the others. */
const LONGEST_TURN_MS = 60_000

/** Lets one trial after the other begin a payment. */
function beginTurns(world: World) {
  let last: Promise<void> = Promise.resolve()
  let holder: { readonly trial: object; count: number } | undefined
  return {
    take: async (trial: object): Promise<() => void> => {
      if (holder?.trial === trial) {
        const own = holder
        own.count++
        return () => void own.count--
      }
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      const own = { trial, count: 1 }
      holder = own
      const cancel = world.schedule(LONGEST_TURN_MS, resolve)
      return () => {
        if (--own.count > 0) return
        if (holder === own) holder = undefined
        cancel()
        resolve()
      }
    },
  }
}
