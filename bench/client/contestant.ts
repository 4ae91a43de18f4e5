import { bare, type Call, ours, stripe } from './contestants.ts'

/**
 * One client of the benchmark, in a process of its own as in a shop: in one process with the others, V8 would optimize its code,
 * and undici's, for their calls as well. The arguments are its name and the server's port.
 */

/** How many calls to make, and how many of them at a time. */
export interface Round {
  readonly calls: number
  readonly inFlight: number
}

export interface Cost {
  /** CPU time of a call in microseconds, of all threads. */
  readonly cpu: number
  /** In milliseconds. */
  readonly p99: number
}

const port = Number(process.argv[3])
const contestants = {
  bare: () => bare(port, 'sale'),
  ours: () => ours(port, 'sale').call,
  bareHmac: () => bare(port, 'payout'),
  oursHmac: () => ours(port, 'payout').call,
  stripe: () => stripe(port),
}
export type Name = keyof typeof contestants

const call = await contestants[process.argv[2] as Name]()
process.on('message', (round: Round) => void costOf(call, round).then((cost) => process.send?.(cost)))
process.send?.('ready')

async function costOf(call: Call, { calls, inFlight }: Round): Promise<Cost> {
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
