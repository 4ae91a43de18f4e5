/**
 * Ten years of recurring payments, whatever happens to the process, its disk and its clock.
 *
 *     pnpm prove recurring [--quick] [--runs n] [--seed n]
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { count } from '../../../scripts/proof/options.ts'
import type { Order, Outcome } from '../../../scripts/proof/proof.ts'
import { prove } from '../../../scripts/proof/prove.ts'
import { bank } from './bank/bank.ts'
import { checkCalls, checkOrder, lostSightOf, withoutOutcome } from './bank/check-books.ts'
import { deedsIn, type Entry } from './bank/journal.ts'
import { check } from './recurring/check.ts'
import { type Happened, liveOn, liveOut } from './recurring/live-on.ts'
import { type PlannedSchedule, randomSchedule } from './recurring/plan.ts'
import { create, LOGIN, live, type World } from './recurring/world.ts'

/** In memory where that can be had: processes are killed here, and no machine. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** 10 in the morning on the day of every creation. */
const BEGIN = Date.UTC(2030, 0, 15, 10)
const LAST = Date.UTC(2040, 0, 2)
/** What was missed in the last days is made up for, called back and looked up. */
const END = Date.UTC(2040, 1, 15)

await prove({
  name: 'recurring',
  meaning:
    'Schedules of every kind are charged for ten years by the clock, against a count of days of its own. The process is\n' +
    'killed at random statements, its disk fails now and then, its clock is set back by an hour, and at times none runs\n' +
    'for weeks. Each period must have one order, not before its instant, with its callback, and be sent to the bank once.',
  runs: { of: 'schedules', long: 1000, quick: 4 },
  run: async (order) => {
    const folder = mkdtempSync(join(FOLDER, 'recurring-'))
    try {
      return await tenYears(order, join(folder, 'gateway.db'))
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
})

async function tenYears({ random, runs, progress }: Order, file: string): Promise<Outcome> {
  const journal: Entry[] = []
  const world: World = { file, random, bank: bank({ journal, random }), schedules: runs, heard: new Map() }
  const schedules = await createAll(world, runs)
  const happened: Happened = { kills: 0, setBacks: 0, failures: 0 }
  let now = BEGIN
  while (now < LAST) {
    now = await liveOn(world, now, LAST, happened)
    progress(now - BEGIN, LAST - BEGIN)
  }
  const { gateway, store } = await liveOut(world, now, END)
  const orders = await store.recentOrders(LOGIN, Number.MAX_SAFE_INTEGER)
  const deeds = deedsIn(journal)
  const books: string[] = []
  for (const each of orders) books.push(...(await checkOrder(each, deeds, store)), ...withoutOutcome(each))
  await gateway.close()
  const { findings, ...charged } = check({ schedules, orders, heard: world.heard })
  const all = [...findings, ...books, ...checkCalls(journal), ...lostSightOf(deeds, orders)]
  return {
    ok: all.length === 0,
    figure: figureOf({ ...charged, ...happened, schedules: runs, wrong: all.length }),
    findings: all,
  }
}

async function createAll(world: World, schedules: number): Promise<ReadonlyMap<string, PlannedSchedule>> {
  const life = live(world, BEGIN)
  const created = new Map<string, PlannedSchedule>()
  while (created.size < schedules) {
    const schedule = randomSchedule(world.random)
    created.set(await create(schedule, life), schedule)
  }
  await life.gateway.close()
  return created
}

function figureOf(figures: Readonly<Record<string, number>>): string {
  const told = (name: string) => count(figures[name] ?? 0)
  return (
    `${told('schedules')} schedules, ${told('expected')} charges in ten years: ${told('missed')} missed, ` +
    `${told('doubled')} doubled, ${told('early')} early, ${told('unheard')} not called back, ${told('wrong')} findings in all; ` +
    `${told('kills')} kills, ${told('failures')} failures of the disk, ${told('setBacks')} times the clock set back; ` +
    `${told('interrupted')} charges were cut off by a kill before the bank had them and ended as an error`
  )
}
