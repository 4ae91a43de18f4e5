import type { Policy, Seen } from './policies.ts'

const MINUTE = 60_000
/** Steps of five minutes: longer than an exchange may take, shorter than the quarantine. */
const TICK_MS = 5 * MINUTE
/** The latest arrival of a request after it was sent: within the deadline and a quarter of an hour. */
const LATEST_ARRIVAL_TICKS = 3
const LAST_TICK = 6
const MOST_CRASHES = 2
const MOST_ATTEMPTS = 2

/** One attempt of the client, with its requests on the way. */
interface Attempt<Memory> {
  readonly memory: Memory
  /** Whether a living process waits for a reply. */
  readonly isWaiting: boolean
  /** When the requests that have not arrived yet were sent, in ticks. */
  readonly onTheWay: readonly number[]
  /** How often the gateway has charged for it. */
  readonly charges: number
  readonly lookedAtTick: number
}

/** Everything there is at one moment. Plain data: its JSON identifies it. */
export interface World<Memory> {
  readonly tick: number
  readonly crashes: number
  readonly attempts: readonly Attempt<Memory>[]
  /** When the gateway last answered for another order, in ticks. */
  readonly answeredAtTick: number | null
}

export function firstWorld<Memory>(policy: Policy<Memory>): World<Memory> {
  const world: World<Memory> = { tick: 0, crashes: 0, attempts: [], answeredAtTick: null }
  return withAttempt(world, policy)
}

/** A new attempt is written and sent: its request is on its way. `crashed` adds the worlds in which it was never sent. */
function withAttempt<Memory>(world: World<Memory>, policy: Policy<Memory>): World<Memory> {
  const memory = policy.begin(world.attempts.length + 1, timeOf(world))
  const attempt = { memory, isWaiting: true, onTheWay: [world.tick], charges: 0, lookedAtTick: -1 }
  return { ...world, attempts: [...world.attempts, attempt] }
}

function timeOf({ tick }: Pick<World<unknown>, 'tick'>): number {
  return tick * TICK_MS
}

export function nextWorlds<Memory>(world: World<Memory>, policy: Policy<Memory>): World<Memory>[] {
  return [
    ...world.attempts.flatMap((_, at) => ofAttempt(world, at, policy)),
    ...crashed(world, policy),
    ...newAttempt(world, policy),
    ...told(world),
    ...later(world, policy),
  ]
}

function replaced<Memory>(world: World<Memory>, at: number, attempt: Attempt<Memory>): World<Memory> {
  return { ...world, attempts: world.attempts.with(at, attempt) }
}

/** What the network and the client may do with one attempt. */
function ofAttempt<Memory>(world: World<Memory>, at: number, policy: Policy<Memory>): World<Memory>[] {
  const attempt = world.attempts[at]
  if (attempt === undefined) return []
  const now = timeOf(world)
  const to = (changes: Partial<Attempt<Memory>>) => replaced(world, at, { ...attempt, ...changes })
  const { memory, isWaiting, onTheWay, charges } = attempt
  const worlds: World<Memory>[] = []
  if (onTheWay.length > 0) {
    const [, ...others] = onTheWay
    // The request arrives, and its reply arrives or not; or it is dropped. The gateway has no idempotency: each arrival charges.
    const arrived = { onTheWay: others, charges: charges + 1 }
    worlds.push(to(arrived), to({ onTheWay: others }))
    if (isWaiting) worlds.push(to({ ...arrived, isWaiting: false, memory: policy.accepted(memory, now) }))
  }
  if (isWaiting) {
    worlds.push(to({ isWaiting: false, memory: policy.lost(memory, now) }))
    return worlds
  }
  const again = policy.sendsAgain(memory, now)
  if (again !== undefined) worlds.push(to({ memory: again, isWaiting: true, onTheWay: [...onTheWay, world.tick] }))
  if (attempt.lookedAtTick < world.tick && policy.isWatched(memory) && policy.beliefOf(memory) !== 'charged') {
    for (const seen of ['silent', answerOf(attempt)] as const) {
      worlds.push(to({ lookedAtTick: world.tick, memory: looked(memory, seen, world, policy) }))
    }
  }
  return worlds
}

function answerOf({ charges }: Attempt<unknown>): Seen {
  return charges > 0 ? 'found' : 'absent'
}

function looked<Memory>(memory: Memory, seen: Seen, world: World<Memory>, policy: Policy<Memory>): Memory {
  const { answeredAtTick } = world
  const lastAnswerAt = answeredAtTick === null ? undefined : timeOf({ tick: answeredAtTick })
  return policy.looked(memory, { seen, now: timeOf(world), lastAnswerAt })
}

/** The process dies, and the next one finds what is durable. */
function crashed<Memory>(world: World<Memory>, policy: Policy<Memory>): World<Memory>[] {
  if (world.crashes >= MOST_CRASHES || !world.attempts.some(({ isWaiting }) => isWaiting)) return []
  const dead = { ...world, crashes: world.crashes + 1 }
  const orphan = (attempt: Attempt<Memory>): Attempt<Memory> => ({
    ...attempt,
    isWaiting: false,
    memory: policy.orphaned(attempt.memory, timeOf(world)),
  })
  const attempts = world.attempts.map((attempt) => (attempt.isWaiting ? orphan(attempt) : attempt))
  // It dies after sending, or before: then what is on its way was never sent.
  const unsent = attempts.map((attempt) => ({
    ...attempt,
    onTheWay: attempt.onTheWay.filter((tick) => tick !== world.tick),
  }))
  return [
    { ...dead, attempts },
    { ...dead, attempts: unsent },
  ]
}

/** A client that believes that nothing was charged asks for the money once more. */
function newAttempt<Memory>(world: World<Memory>, policy: Policy<Memory>): World<Memory>[] {
  const last = world.attempts.at(-1)
  if (last === undefined || world.attempts.length >= MOST_ATTEMPTS) return []
  return policy.beliefOf(last.memory) === 'absent' ? [withAttempt(world, policy)] : []
}

/** The client checks the status of another order, which the gateway has. */
function told<Memory>(world: World<Memory>): World<Memory>[] {
  return world.answeredAtTick !== world.tick ? [{ ...world, answeredAtTick: world.tick }] : []
}

/** Time goes on. All exchanges are over by then, and a request that is too late has arrived or is dropped. */
function later<Memory>(world: World<Memory>, policy: Policy<Memory>): World<Memory>[] {
  if (world.tick >= LAST_TICK || world.attempts.some(({ isWaiting }) => isWaiting)) return []
  const isOverdue = world.attempts.some(({ onTheWay }) =>
    onTheWay.some((sent) => world.tick - sent >= LATEST_ARRIVAL_TICKS),
  )
  if (isOverdue) return []
  const isDecided = world.attempts.every(({ memory }) => policy.beliefOf(memory) === 'charged')
  const isQuiet = world.attempts.every(({ onTheWay }) => onTheWay.length === 0)
  return isDecided && isQuiet ? [] : [{ ...world, tick: world.tick + 1 }]
}

/**
 * What must never happen. `unknowable`: the client stops checking for a charge without having learned of it. `wrongAbsence`: it
 * believes that nothing was charged, but something was, or will be.
 */
type Flaw = 'double' | 'unknowable' | 'wrongAbsence'

export function flawsOf<Memory>(world: World<Memory>, policy: Policy<Memory>): readonly Flaw[] {
  const { attempts } = world
  const flaws: Flaw[] = []
  if (attempts.reduce((sum, { charges }) => sum + charges, 0) > 1) flaws.push('double')
  const isUnknowable = ({ charges, memory }: Attempt<Memory>) =>
    charges > 0 && policy.beliefOf(memory) !== 'charged' && !becomesKnown(memory, world, policy)
  if (attempts.some(isUnknowable)) flaws.push('unknowable')
  const isWrongAbsence = ({ charges, memory, onTheWay }: Attempt<Memory>) =>
    policy.beliefOf(memory) === 'absent' && (charges > 0 || onTheWay.length > 0)
  if (attempts.some(isWrongAbsence)) flaws.push('wrongAbsence')
  return flaws
}

/** Whether the next answered status check shows the client the charge. An attempt that is being sent is orphaned at worst. */
function becomesKnown<Memory>(memory: Memory, world: World<Memory>, policy: Policy<Memory>): boolean {
  if (!policy.isWatched(memory)) return false
  const now = timeOf(world)
  return policy.beliefOf(looked(policy.orphaned(memory, now), 'found', world, policy)) === 'charged'
}
