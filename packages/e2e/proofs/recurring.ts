/**
 * Ten years of schedules: no charge missed or doubled, whatever happens to the process, disk and clock.
 *
 *     pnpm prove recurring [--quick] [--runs n] [--seed n]
 */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { inFolder, type Order, type Outcome, prove, Random, withCommas } from '@tallystick/proof-kit'
import { checkBooks } from './harness/check-books.ts'
import { LOGIN } from './harness/processes.ts'
import { check, namedCharges } from './recurring/check.ts'
import { createAll, liveOn, liveOut, type ToldOrder, type World, worldIn } from './recurring/life.ts'
import { type PlannedSchedule, randomSchedule } from './recurring/plan.ts'

/** In memory if possible: processes are killed here, but no machine. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** 10 in the morning on the day of every creation. */
const BEGIN = Date.UTC(2030, 0, 15, 10)
const LAST = Date.UTC(2040, 0, 2)
/** Until then charges missed in the last days are made up for, called back and looked up. */
const END = Date.UTC(2040, 1, 15)

/** About how many processes make all charges. All but a few are killed. */
const LIVES = { quick: 3, long: 130 }
/** How many orders have their status checked at the end. */
const ASKED = 200

await prove({
  name: 'recurring',
  meaning:
    'Schedules of every kind are charged for ten years by the clock, against a count of days of its own and the books of the\n' +
    'bank. The gateway is a process of its own that is killed with SIGKILL while it charges and calls back, and started again\n' +
    'on its file; its disk fails now and then, its clock is set back by an hour, and at times none runs for weeks. Each\n' +
    'period must have one order, not before its instant, with its callback, and be charged by the bank once.',
  runs: { of: 'schedules', long: 1000, quick: 3 },
  run: (order) => inFolder('recurring', (folder) => tenYears(order, worldIn(folder, order)), FOLDER),
})

async function tenYears({ random, runs, seed, isQuick, progress }: Order, world: World): Promise<Outcome> {
  const planned = Array.from({ length: runs }, () => randomSchedule(random))
  const schedules = await createAll(world, BEGIN, planned)
  const charges = namedCharges(schedules)
  const share = Math.ceil(charges.length / LIVES[isQuick ? 'quick' : 'long'])
  let now = BEGIN
  for (let life = 1; now < LAST && world.complaints.length === 0; life++) {
    // Each life has its own random choices: how far one comes before its kill changes nothing about the next.
    now = await liveOn(world, { random: new Random(seed + life), share, now, until: LAST })
    progress(now - BEGIN, LAST - BEGIN)
  }
  const told = await liveOut(world, { now, until: END }, random.shuffle(charges).slice(0, ASKED))
  return await judge(schedules, told, world)
}

async function judge(
  schedules: ReadonlyMap<string, PlannedSchedule>,
  told: readonly ToldOrder[],
  { file, journal, heard, happened, complaints }: World,
): Promise<Outcome> {
  const store = sqliteStore({ file })
  const books = await checkBooks(store, LOGIN, journal)
  await store.close()
  const { findings, ...charged } = check({ schedules, orders: books.orders, heard, journal, told })
  const all = [...complaints, ...findings, ...books.findings]
  return {
    ok: all.length === 0,
    figure: figureOf({ ...charged, ...happened, schedules: schedules.size, wrong: all.length }),
    findings: all,
  }
}

function figureOf(figures: Readonly<Record<string, number>>): string {
  const told = (name: string) => withCommas(figures[name] ?? 0)
  return (
    `${told('schedules')} schedules, ${told('expected')} charges in ten years: ${told('missed')} missed, ` +
    `${told('doubled')} doubled, ${told('early')} early, ${told('unheard')} not called back, ${told('wrong')} findings in all; ` +
    `${told('kills')} times kill -9, ${told('failures')} failures of the disk, ${told('setBacks')} times the clock set back; ` +
    `${told('interrupted')} charges were cut off by a kill before the bank had them and ended as an error`
  )
}
