import type { Random } from '@tallystick/proof-kit'
import type { Child } from './child.ts'
import { type Death, randomDeath, STATEMENTS } from './death.ts'
import type { World } from './world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The clock is moved by at most this many hours at once. */
const MOST_HOURS = 48
/** Once in this many times, the clock is set back before that. */
const SET_BACK = 80
/**
 * The least number of statements between two disk failures: a claim of 256 tasks has to fit in, or nothing would ever be done.
 */
const GAP = 1000

/** The terms of one life. */
export interface Terms {
  readonly random: Random
  /** Charges that a process makes, on average. */
  readonly share: number
  readonly now: number
  readonly until: number
}

/**
 * Runs one process: its clock goes on until it is killed. Its disk may fail now and then, and its clock may be set back by an
 * hour while it runs. Gives the time at which the next process starts: at once, an hour earlier by the clock, or after a time in
 * which none ran.
 */
export async function liveOn(world: World, { random, share, now, until }: Terms): Promise<number> {
  const { happened } = world
  const death = randomDeath(random, share)
  const failsEvery = random.below(4) === 0 ? GAP + random.below(STATEMENTS * share) : undefined
  const child = world.start({ now, death, failsEvery })
  while (!child.isDead() && child.now() < until && !isAtRest(child, death)) {
    const isSetBack = random.below(SET_BACK) === 0
    if (isSetBack) happened.setBacks += 1
    await child.advance(1 + random.below(MOST_HOURS), isSetBack ? HOUR : 0)
  }
  const endsInPeace = death.at !== 'rest' || death.inPeace
  await (endsInPeace ? child.stop() : child.kill())
  await note(child, world)
  return child.now() + pauseOf(random, world)
}

function isAtRest(child: Child, death: Death): boolean {
  return death.at === 'rest' && child.calls() >= death.number
}

/** Notes how a process ended, and its error output, which may only be about its disk. */
export async function note(child: Child, { happened, complaints }: World): Promise<void> {
  if (await child.wasKilled()) happened.kills += 1
  if (child.complaints() !== '') complaints.push(child.complaints())
}

function pauseOf(random: Random, { happened }: World): number {
  const luck = random.below(10)
  if (luck < 3) happened.setBacks += 1
  if (luck < 3) return -HOUR
  if (luck < 7) return 0
  return luck < 9 ? random.below(3 * DAY) : random.below(70 * DAY)
}
