/**
 * What a call costs: our client, a bare undici `dispatch` of the same bytes, and stripe-node, against one server in a process
 * of its own. CPU time of this process, all threads; every reply is checked.
 *
 *     node --conditions=@tallystick/source bench/client/call.ts
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { printTable, type Row } from '../signing/table.ts'
import { bare, type Call, type Contestant, ours, stripe } from './contestants.ts'

const ROUNDS = 9
const CALLS = 4000

/** Of each, before the first is measured: until then V8 has not made the code of ours that it runs from then on. */
const WARM_UP = 40_000

/** What a gateway that is near takes to acknowledge an order. */
const SLOW_MS = 10

const [atOnce, slow] = [await startServer(0), await startServer(SLOW_MS)]
const contest = {
  bare: await bare(atOnce.port, 'sale'),
  ours: ours(atOnce.port, 'sale'),
  bareHmac: await bare(atOnce.port, 'payout'),
  oursHmac: ours(atOnce.port, 'payout'),
  stripe: stripe(atOnce.port),
}
const slowContest = { bare: await bare(slow.port, 'sale'), ours: ours(slow.port, 'sale') }

for (const { call } of Object.values(contest)) await costOf(call, 64, WARM_UP)
for (const inFlight of [16, 128]) {
  const least = await leastOf(contest, inFlight)
  const leastSlow = await leastOf(slowContest, inFlight)
  const rows: Row[] = [
    { what: 'bare dispatch of the sale', figure: least.bare.cpu, unit: 'us' },
    { what: 'sale: CPU against it', figure: least.ours.cpu / least.bare.cpu, unit: 'times', goal: 'at most 1.8' },
    {
      what: 'sale: p99 against it',
      figure: least.ours.p99 / least.bare.p99,
      unit: 'times',
      goal: 'at most 1.3',
    },
    {
      what: `sale: p99 against it, of a server that takes ${SLOW_MS} ms`,
      figure: leastSlow.ours.p99 / leastSlow.bare.p99,
      unit: 'times',
      goal: 'at most 1.3',
    },
    {
      what: 'payout by HMAC: CPU against the bare dispatch of it',
      figure: least.oursHmac.cpu / least.bareHmac.cpu,
      unit: 'times',
    },
    {
      what: "stripe-node's payment intent: CPU against our sale",
      figure: least.stripe.cpu / least.ours.cpu,
      unit: 'times',
      goal: 'at least 4',
    },
  ]
  printTable(`A call, ${inFlight} in flight`, rows)
}
for (const each of [contest, slowContest]) await Promise.all(Object.values(each).map(({ close }) => close()))
for (const { stop } of [atOnce, slow]) stop()

/** A server in a process of its own, which takes so many milliseconds to answer. */
async function startServer(delayMs: number) {
  const child = fork(join(import.meta.dirname, 'server.ts'), [String(delayMs)])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { port, stop: () => child.disconnect() }
}

interface Cost {
  /** Microseconds of CPU time a call. */
  readonly cpu: number
  /** Milliseconds. */
  readonly p99: number
}

/** The least of several rounds in which all take turns, so that what disturbs the machine disturbs each of them. */
async function leastOf<Name extends string>(
  contest: Readonly<Record<Name, Contestant>>,
  inFlight: number,
): Promise<Record<Name, Cost>> {
  const names = Object.keys(contest) as Name[]
  const worst: Cost = { cpu: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY }
  const least = Object.fromEntries(names.map((name) => [name, worst])) as Record<Name, Cost>
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const { cpu, p99 } = await costOf(contest[name].call, inFlight, CALLS)
      least[name] = { cpu: Math.min(least[name].cpu, cpu), p99: Math.min(least[name].p99, p99) }
    }
  }
  return least
}

async function costOf(call: Call, inFlight: number, calls: number): Promise<Cost> {
  const latencies: number[] = []
  let next = 0
  const worker = async () => {
    for (let number = next++; number < calls; number = next++) {
      const started = performance.now()
      await call(number)
      latencies.push(performance.now() - started)
    }
  }
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { user, system } = process.cpuUsage(before)
  latencies.sort((a, b) => a - b)
  return { cpu: (user + system) / calls, p99: latencies[Math.floor(calls * 0.99)] ?? Number.NaN }
}
