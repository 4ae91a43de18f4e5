/**
 * Shop, network, gateway and bank simulated from a seed: nothing is charged twice, lost or misjudged.
 *
 *     pnpm prove sim [--quick] [--runs n] [--seed n]
 */

import { inThreads, prove, withCommas } from '@tallystick/proof-kit'
import type { ScheduleResult } from './sim/schedule.ts'
import type { Share } from './sim/share.ts'

/** Threads at a time: each occupies a core. */
const LANES = 2
/** How many schedules a thread runs before another one takes over. */
const SHARE = 10_000

await prove({
  name: 'sim',
  meaning:
    'A merchant with a journal on one machine or two sells, reserves, pays out, captures, voids, refunds in full and in\n' +
    'part, stores cards and charges them, tries again what came to nothing, and settles reviews, through a network that\n' +
    'drops, delays, doubles, reorders and spoils, at the real gateway in front of a bank that fails now and then, while the\n' +
    'issuer takes money back. The processes of the merchant die at any of their awaits, up to twice a machine, or are closed\n' +
    'amid work, the database is slow now and then, and clocks are wrong, or set. In the end every intent must be what the\n' +
    'bank says; nothing may be charged or carried out twice, unless it arrived too late to be known, and then that is\n' +
    "reported; every outcome is handed over once, and the merchant's account of each order is what the gateway shows.\n" +
    'Schedule n of a run with seed s is\n' +
    'repeated by `--seed s+n --runs 1`.',
  runs: { of: 'schedules', long: 200_000, quick: 5000 },
  run: async ({ runs, seed, progress }) => {
    const shares = sharesOf(runs, seed)
    const thread = new URL('./sim/share.ts', import.meta.url)
    const told = (done: number) => progress(done, shares.length)
    const results = await inThreads<Share, ScheduleResult>(thread, shares, LANES, told)
    const findings = results.flatMap((result) => result.findings)
    const sum = (what: 'attempts' | 'mishaps' | 'crashes') =>
      withCommas(results.reduce((all, one) => all + one[what], 0))
    return {
      ok: findings.length === 0,
      figure:
        `${withCommas(runs)} schedules, ${sum('attempts')} intents, ${sum('mishaps')} mishaps of the network, ` +
        `${sum('crashes')} crashes: ${findings.length} charged twice, lost, misjudged, or handed over wrongly`,
      findings,
    }
  },
})

/** What each thread runs: seed after seed, and each of them once. */
function sharesOf(runs: number, seed: number): readonly Share[] {
  const size = Math.min(SHARE, Math.ceil(runs / LANES))
  return Array.from({ length: Math.ceil(runs / size) }, (_, n) => ({
    seed: seed + n * size,
    schedules: Math.min(size, runs - n * size),
  }))
}
