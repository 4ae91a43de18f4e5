/**
 * Measures what a call costs: our client, a bare undici `dispatch` of the same bytes, and stripe-node, each in a process of its
 * own, against a server in another. CPU time of the client's process, all threads. Checks every reply.
 *
 *     node --conditions=@tallystick/source bench/client/call.ts
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { printTable, type Row } from '../signing/table.ts'
import type { Cost, Name, Round } from './contestant.ts'

const ROUNDS = 9

/** Calls of each client before the measurement: V8 needs as many until it runs the final code of ours. */
const WARM_UP = 40_000

/**
 * One server answers at once, to measure the client alone. The other takes as long as a nearby gateway, so that each client
 * waits, as it does in a shop.
 */
const SERVERS = [
  { what: 'a server that answers at once', delayMs: 0, calls: 16_000 },
  { what: 'a server that takes 10 ms', delayMs: 10, calls: 2000 },
] as const

const NAMES: readonly Name[] = ['bare', 'ours', 'bareHmac', 'oursHmac', 'stripe']

for (const { what, delayMs, calls } of SERVERS) {
  const server = fork(join(import.meta.dirname, 'server.ts'), [String(delayMs)])
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  const contest = await contestOn(port)
  for (const child of Object.values(contest)) await costOf(child, { calls: WARM_UP, inFlight: 128 })
  for (const inFlight of [16, 128]) {
    printTable(`A call of ${what}, ${inFlight} in flight`, rowsOf(await leastOf(contest, { calls, inFlight })))
  }
  for (const child of [...Object.values(contest), server]) child.disconnect()
}

async function contestOn(port: number): Promise<Record<Name, ChildProcess>> {
  const started = NAMES.map(async (name) => {
    const child = fork(join(import.meta.dirname, 'contestant.ts'), [name, String(port)])
    child.once('exit', (code) => code === 0 || process.exit(1))
    await once(child, 'message')
    return [name, child] as const
  })
  return Object.fromEntries(await Promise.all(started)) as Record<Name, ChildProcess>
}

async function costOf(child: ChildProcess, round: Round): Promise<Cost> {
  child.send(round)
  const [cost] = (await once(child, 'message')) as [Cost]
  return cost
}

/** The least of several rounds. All clients take turns, so that other work of the machine disturbs each of them. */
async function leastOf(contest: Readonly<Record<Name, ChildProcess>>, round: Round): Promise<Record<Name, Cost>> {
  const worst: Cost = { cpu: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY }
  const least = Object.fromEntries(NAMES.map((name) => [name, worst])) as Record<Name, Cost>
  for (let number = 0; number < ROUNDS; number++) {
    for (const name of NAMES) {
      const { cpu, p99 } = await costOf(contest[name], round)
      least[name] = { cpu: Math.min(least[name].cpu, cpu), p99: Math.min(least[name].p99, p99) }
    }
  }
  return least
}

function rowsOf({ bare, ours, bareHmac, oursHmac, stripe }: Record<Name, Cost>): readonly Row[] {
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
