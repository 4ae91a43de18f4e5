/** Shop, network, gateway and bank simulated from a seed: nothing is charged twice, lost or misjudged. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { counted, describeError, inThreads, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import { runSchedule, type ScheduleResult } from './sim/schedule.ts'

/** What a thread runs, one schedule after the other. */
interface Share {
  /** The seed of the first schedule; each that follows has the next. */
  readonly seed: number
  readonly schedules: number
}

/** Threads at a time: each occupies a core. */
const LANES = 2
/** How many schedules a thread runs before another one takes over. */
const SHARE = 10_000
const MOST_FINDINGS = 10

if (!isMainThread) parentPort?.postMessage(await runShare(workerData as Share))

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
  run: simulate,
})

async function simulate({ runs, seed, progress }: Order): Promise<Outcome> {
  const shares = sharesOf(runs, seed)
  const told = (done: number) => progress(done, shares.length)
  const results = await inThreads<Share, ScheduleResult>(new URL(import.meta.url), shares, LANES, told)
  const findings = results.flatMap((result) => result.findings)
  const sum = (what: 'attempts' | 'mishaps' | 'crashes') => results.reduce((all, one) => all + one[what], 0)
  return {
    figure:
      counted`${runs} schedules, ${sum('attempts')} intents, ${sum('mishaps')} mishaps of the network, ` +
      counted`${sum('crashes')} crashes: ${findings.length} charged twice, lost, misjudged, or handed over wrongly`,
    findings,
  }
}

/** What each thread runs: seed after seed, and each of them once. */
function sharesOf(runs: number, seed: number): readonly Share[] {
  const size = Math.min(SHARE, Math.ceil(runs / LANES))
  return Array.from({ length: Math.ceil(runs / size) }, (_, n) => ({
    seed: seed + n * size,
    schedules: Math.min(size, runs - n * size),
  }))
}

async function runShare({ seed, schedules }: Share): Promise<ScheduleResult> {
  const keys = { controlKey: testControlKey(), ...testKeyPair() }
  const findings: string[] = []
  let [mishaps, crashes, attempts] = [0, 0, 0]
  let current = seed
  const note = (finding: string) => findings.push(`--seed ${current} --runs 1: ${finding}`)
  const noteError = (error: unknown) => note(`it threw ${describeError(error)}`)
  // An unhandled error belongs to the schedule that runs.
  process.on('unhandledRejection', noteError)
  // Errors are common here, and stacks are expensive: only a schedule that is run alone has them.
  if (schedules > 1) Error.stackTraceLimit = 0
  for (; current < seed + schedules && findings.length < MOST_FINDINGS; current++) {
    try {
      const result = await runSchedule(current, keys)
      for (const finding of result.findings) note(finding)
      mishaps += result.mishaps
      crashes += result.crashes
      attempts += result.attempts
    } catch (error) {
      noteError(error)
    }
  }
  return { findings, mishaps, crashes, attempts }
}
