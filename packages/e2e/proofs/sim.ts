/**
 * Shop, network, gateway and bank in one process on one virtual clock, by seed.
 *
 *     pnpm prove sim [--quick] [--runs n] [--seed n]
 */
import { testControlKey } from '@tallystick/testing'
import { count } from '../../../scripts/proof/options.ts'
import { prove } from '../../../scripts/proof/prove.ts'
import { runSchedule } from './sim/schedule.ts'

await prove({
  name: 'sim',
  meaning:
    'A shop with a journal pays and refunds through a network that drops, delays, doubles, reorders and spoils, at the real\n' +
    'gateway in front of a bank that fails now and then; the shop dies at any of its awaits, up to twice. In the end every\n' +
    'intent must be what the bank says, nothing charged or given back twice, every outcome handed over once. Schedule n of\n' +
    'a run with seed s is repeated by `--seed s+n --runs 1`.',
  runs: { of: 'schedules', long: 200_000, quick: 500 },
  run: async ({ runs, seed, progress }) => {
    const controlKey = testControlKey()
    const findings: string[] = []
    let [mishaps, crashes, attempts] = [0, 0, 0]
    for (let n = 0; n < runs && findings.length < 10; n++) {
      const result = await runSchedule(seed + n, controlKey)
      findings.push(...result.findings.map((finding) => `--seed ${seed + n} --runs 1: ${finding}`))
      mishaps += result.mishaps
      crashes += result.crashes
      attempts += result.attempts
      progress(n + 1, runs)
    }
    return {
      ok: findings.length === 0,
      figure:
        `${count(runs)} schedules, ${count(attempts)} intents, ${count(mishaps)} mishaps of the network, ` +
        `${count(crashes)} crashes: ${findings.length} charged twice, lost, misjudged, or handed over wrongly`,
      findings,
    }
  },
})
