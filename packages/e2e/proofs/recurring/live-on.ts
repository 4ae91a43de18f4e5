import { from } from '../../../gateway/test/support/failing-database.ts'
import { type Life, live, type World } from './world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** That a process executes for each schedule, more or less. */
const STATEMENTS = 60
/** Between two failures of a disk, at least: a claim of 256 tasks has to fit in, or nothing would ever be done. */
const GAP = 1000
/** Of the bank that it makes for each schedule. */
const CALLS = 4

/** How many times what happened. */
export interface Happened {
  kills: number
  setBacks: number
  failures: number
}

/**
 * One process: it lives for some weeks by the clock, unless it is killed at some statement. Its disk may fail now and
 * then, and its clock may be set back by an hour while it runs. Gives the time at which the next begins: at once, an hour
 * earlier by the clock, or after a time in which none ran.
 */
export async function liveOn(world: World, now: number, until: number, happened: Happened): Promise<number> {
  const { random } = world
  const life = live(world, now)
  await life.gateway.isReady()
  await life.gateway.settled()
  const end = Math.min(until, now + (1 + random.below(180)) * DAY)
  const killedAt = random.below(2) === 0 ? 1 + random.below(STATEMENTS * world.schedules) : Number.POSITIVE_INFINITY
  if (random.below(4) === 0) life.killAtCall(1 + random.below(CALLS * world.schedules))
  const failsEvery = random.below(4) === 0 ? GAP + random.below(50 * world.schedules) : Number.POSITIVE_INFINITY
  life.database.fail(({ number }) => {
    if (number >= killedAt) life.kill()
    const isFailure = number % failsEvery === 0
    if (isFailure && !life.isKilled()) happened.failures += 1
    return life.isKilled() || isFailure
  })
  while (!life.isKilled() && life.now() < end) {
    if (random.below(2000) === 0) {
      life.setBack(HOUR)
      happened.setBacks += 1
    }
    await life.clock.advance(HOUR)
    // Time by this clock must not run ahead of the work that it set off.
    await life.gateway.settled()
  }
  if (life.isKilled()) happened.kills += 1
  else if (random.below(2) === 0) life.kill()
  await die(life)
  return life.now() + pauseOf(world, happened)
}

/** Killed: what is not on the disk is gone. Otherwise it finishes in peace. */
async function die({ gateway, database, isKilled }: Life): Promise<void> {
  if (isKilled()) {
    database.fail(from(1))
    await gateway.settled()
    database.crash()
  } else {
    database.fail()
  }
  await gateway.close().catch(() => {})
}

function pauseOf({ random }: World, happened: Happened): number {
  const luck = random.below(10)
  if (luck < 3) happened.setBacks += 1
  if (luck < 3) return -HOUR
  if (luck < 7) return 0
  return luck < 9 ? random.below(3 * DAY) : random.below(70 * DAY)
}

/** A last process that nothing befalls, until everything is done that is due by then. */
export async function liveOut(world: World, now: number, until: number): Promise<Life> {
  const life = live(world, now)
  await life.gateway.isReady()
  await life.gateway.settled()
  await life.clock.advance(Math.max(0, until - now))
  await life.gateway.settled()
  return life
}
