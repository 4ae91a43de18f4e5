/** What was rolled back after `prepare` is never sent, and what was committed is never lost, nor sent twice. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { atOnce, counted, inThreads, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { type Batch, batch, type Counts } from './prepared/interleavings.ts'
import type { Naive } from './prepared/shop.ts'

/** How many interleavings one gateway and one database see; how many of these a thread has, and works on at once: they often wait. */
const TOGETHER = 50
const IN_A_THREAD = 9
const AT_ONCE = 3
const THREADS = 3
/** The share of interleavings on PostgreSQL. */
const ON_POSTGRES = 0.4
const NAIVE_RUNS = 40
const NAIVE: readonly Naive[] = ['prepares on another connection', 'sends without a lock', 'forgets what was prepared']

if (!isMainThread) parentPort?.postMessage(await all(workerData as readonly Batch[]))

await prove({
  name: 'prepared',
  meaning:
    'Processes of a shop write orders and prepare their payments in transactions of SQLite and PostgreSQL, commit, roll back,\n' +
    'hang up, pay or leave it, and die at any await, while the clock goes on, the network fails and the journals of other\n' +
    'processes work. Nothing may be sent that was rolled back; all that was committed and needs no card must be sent once, with\n' +
    'one outcome, or be reported as in doubt; what needs a card must wait and be reported. Three naive shops must fail.',
  runs: { of: 'interleavings', long: 10_000, quick: 80 },
  run,
})

async function all(batches: readonly Batch[]): Promise<readonly Counts[]> {
  const counts: Counts[] = []
  await atOnce(AT_ONCE, batches, async (one) => counts.push(await batch(one)))
  return counts
}

async function run({ runs, random, folder, progress }: Order): Promise<Outcome> {
  const begun = (where: Batch['where'], size: number, naive?: Naive): Batch => ({
    where,
    folder,
    runs: size,
    seed: random.below(2 ** 31),
    ...(naive && { naive }),
  })
  const onPostgres = Math.ceil(runs * ON_POSTGRES)
  const batches = random.shuffle([
    ...sizesOf(runs - onPostgres, TOGETHER).map((size) => begun('SQLite', size)),
    ...sizesOf(onPostgres, TOGETHER).map((size) => begun('PostgreSQL', size)),
  ])
  const naive = NAIVE.map((how) => begun('PostgreSQL', NAIVE_RUNS, how))
  const shares = [
    ...naive.map((one) => [one]),
    ...sizesOf(batches.length, IN_A_THREAD).map((size) => batches.splice(0, size)),
  ]
  const found = await inThreads<readonly Batch[], readonly Counts[]>(
    new URL(import.meta.url),
    shares,
    THREADS,
    (done) => progress(done, shares.length),
  )
  const counts = found.flat().filter((one) => one.naive === undefined)
  const sum = (of: (one: Counts) => number) => counts.reduce((total, one) => total + of(one), 0)
  const findings = counts.flatMap((one) => one.findings)
  const blamed = NAIVE.map((how) => [how, found.flat().find((one) => one.naive === how)?.findings.length ?? 0] as const)
  const shown = [...findings]
  for (const [how, count] of blamed) {
    if (count === 0) shown.push(`a shop that ${how} was not found out: these interleavings prove nothing`)
  }
  return {
    figure:
      counted`${sum(({ interleavings }) => interleavings)} interleavings, ${sum(({ deaths }) => deaths)} deaths, ` +
      counted`${sum(({ rolledBack }) => rolledBack)} rolled back, ${sum(({ committed }) => committed)} committed, ` +
      counted`${sum(({ sentByJournal }) => sentByJournal)} of them sent by the journal itself, ` +
      counted`${sum(({ waiting }) => waiting)} left to their callers, ${sum(({ inDoubt }) => inDoubt)} reported as in doubt: ` +
      counted`${findings.length} sent after a rollback, lost or doubled ` +
      `(naive shops in ${NAIVE_RUNS} interleavings each: ${blamed.map((one) => one.join(': ')).join(', ')})`,
    findings: shown,
  }
}

function sizesOf(all: number, most: number): readonly number[] {
  return Array.from({ length: Math.ceil(all / most) }, (_, index) => Math.min(most, all - index * most))
}
