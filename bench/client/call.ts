/**
 * What a call costs: our client, a bare undici `dispatch` of the same bytes, and stripe-node, against a server in a process
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

/** Of each, before the first is measured: until then V8 has not made the code of ours that it runs from then on. */
const WARM_UP = 40_000

/**
 * One answers at once, so that what is measured is the client alone. The other takes as long as a gateway that is near: there
 * each client waits, as it does in a shop.
 */
const SERVERS = [
  { what: 'a server that answers at once', delayMs: 0, calls: 4000 },
  { what: 'a server that takes 10 ms', delayMs: 10, calls: 2000 },
] as const

for (const { what, delayMs, calls } of SERVERS) {
  const { port, stop } = await startServer(delayMs)
  const contest = await contestOn(port)
  for (const { call } of Object.values(contest)) await costOf(call, 128, WARM_UP)
  for (const inFlight of [16, 128]) {
    printTable(`A call of ${what}, ${inFlight} in flight`, rowsOf(await leastOf(contest, inFlight, calls)))
  }
  await Promise.all(Object.values(contest).map(({ close }) => close()))
  stop()
}

async function contestOn(port: number) {
  return {
    bare: await bare(port, 'sale'),
    ours: ours(port, 'sale'),
    bareHmac: await bare(port, 'payout'),
    oursHmac: ours(port, 'payout'),
    stripe: stripe(port),
  }
}

function rowsOf(least: Record<keyof Awaited<ReturnType<typeof contestOn>>, Cost>): readonly Row[] {
  const { bare, ours, bareHmac, oursHmac, stripe } = least
  return [
    { what: 'bare dispatch of the sale', figure: bare.cpu, unit: 'us' },
    { what: 'sale: CPU against it', figure: ours.cpu / bare.cpu, unit: 'times', goal: 'at most 1.8' },
    { what: 'sale: p99 against it', figure: ours.p99 / bare.p99, unit: 'times', goal: 'at most 1.3' },
    {
      what: 'payout by HMAC: CPU against the bare dispatch of it',
      figure: oursHmac.cpu / bareHmac.cpu,
      unit: 'times',
    },
    {
      what: "stripe-node's payment intent: CPU against our sale",
      figure: stripe.cpu / ours.cpu,
      unit: 'times',
      goal: 'at least 4',
    },
  ]
}

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
  calls: number,
): Promise<Record<Name, Cost>> {
  const names = Object.keys(contest) as Name[]
  const worst: Cost = { cpu: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY }
  const least = Object.fromEntries(names.map((name) => [name, worst])) as Record<Name, Cost>
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const { cpu, p99 } = await costOf(contest[name].call, inFlight, calls)
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
