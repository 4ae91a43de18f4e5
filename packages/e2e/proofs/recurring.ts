/** Ten years of schedules: no charge missed or doubled, whatever happens to the process, disk and clock. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { counted, type Order, type Outcome, prove, Random } from '@tallystick/proof-kit'
import { checkBooks, within } from './harness/check-books.ts'
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
  parentFolder: FOLDER,
  run: (order) => tenYears(order, worldIn(order)),
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
  const books = await within(sqliteStore({ file }), (store) => checkBooks(store, journal))
  const { expected, missed, doubled, early, unheard, interrupted, ...charged } = check({
    schedules,
    orders: books.orders,
    heard,
    journal,
    told,
  })
  const findings = [...complaints, ...charged.findings, ...books.findings]
  const { kills, failures, setBacks } = happened
  return {
    figure:
      counted`${schedules.size} schedules, ${expected} charges in ten years: ${missed} missed, ${doubled} doubled, ` +
      counted`${early} early, ${unheard} not called back, ${findings.length} findings in all; ${kills} times kill -9, ` +
      counted`${failures} failures of the disk, ${setBacks} times the clock set back; ` +
      counted`${interrupted} charges were cut off by a kill before the bank had them and ended as an error`,
    findings,
  }
}
