/**
 * Measures what a call costs: our client, a bare undici `dispatch` of the same bytes, and stripe-node, each in a process of its
 * own, against a server in another. CPU time of the client's process, all threads. Checks every reply.
 *
 *     node --conditions=@tallystick/source bench/call.ts [atOnce] [in10ms]
 */
import type { ClientName, ClientSetUp, Cost, Round } from './kit/clients.ts'
import { measure, printTable, type Row, recordOf, size } from './kit/measure.ts'
import { ask, type Server, startEach, startServer, stop } from './kit/processes.ts'

const ROUNDS = size(9, 1)
/** Calls of each client before the measurement: V8 needs as many until it runs the final code of ours. */
const WARM_UP = size(40_000, 1000)
const NAMES: readonly ClientName[] = ['bare', 'ours', 'bareHmac', 'oursHmac', 'stripe']

type Contest = Readonly<Record<ClientName, Server>>

async function call(what: string, delayMs: number, calls: number): Promise<void> {
  const server = await startServer('answering-server.ts', { delayMs })
  const contest: Contest = await startEach(NAMES, (name) =>
    startServer('clients.ts', { name, port: server.port } satisfies ClientSetUp),
  )
  for (const name of NAMES) await ask(contest[name], { calls: WARM_UP, inFlight: 128 })
  for (const inFlight of [16, 128]) {
    printTable(`A call of ${what}, ${inFlight} in flight`, rowsOf(await leastOf(contest, { calls, inFlight })))
  }
  stop(...Object.values(contest), server)
}

/** The least of several rounds. All clients take turns, so that other work of the machine disturbs each of them. */
async function leastOf(contest: Contest, round: Round): Promise<Record<ClientName, Cost>> {
  const never: Cost = { cpu: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY }
  const least = recordOf(NAMES, () => never)
  for (let number = 0; number < ROUNDS; number++) {
    for (const name of NAMES) {
      const { cpu, p99 } = await ask<Cost>(contest[name], { ...round })
      least[name] = { cpu: Math.min(least[name].cpu, cpu), p99: Math.min(least[name].p99, p99) }
    }
  }
  return least
}

function rowsOf({ bare, ours, bareHmac, oursHmac, stripe }: Record<ClientName, Cost>): readonly Row[] {
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

/**
 * One server answers at once, to measure the client alone. The other takes as long as a nearby gateway, so that each client
 * waits, as it does in a shop.
 */
await measure({
  atOnce: () => call('a server that answers at once', 0, size(16_000, 500)),
  in10ms: () => call('a server that takes 10 ms', 10, size(2000, 200)),
})
