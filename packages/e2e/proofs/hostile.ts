/** Whatever a hostile gateway sends, a call ends by its deadline and memory stays bounded. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPaymentClient } from '@tallystick/client'
import { counted, type Order, type Outcome, prove, startProcess } from '@tallystick/proof-kit'
import { cards, saleInput, testControlKey } from '@tallystick/testing'
import { ATTACKS, REFUSALS } from './hostile/attacks.ts'

const DEADLINE_MS = 700
/** The deadline for refusals, which end without one: they are read to the end, even on a busy machine. */
const PATIENT_MS = 20_000
/** How late a busy machine may be. */
const LATE_MS = 3000
const MOST_BYTES = 32 * 1_048_576

await prove({
  name: 'hostile',
  meaning:
    'A server in a process of its own answers with endless bodies, heads and trailers, a compressed bomb, deep and wide\n' +
    'JSON, wrong types, redirects, silence, and refusals in words that are slow to read. Every call has to end by its\n' +
    'deadline, as unknown or refused, with at most 32 MiB more memory than before.',
  runs: { of: 'rounds of every attack', long: 10, quick: 1 },
  run: async (order) => {
    const server = startProcess({ module: new URL('hostile/server.ts', import.meta.url), settings: {} })
    order.after(server.stop)
    return await walk(order, await server.listening())
  },
})

async function walk({ runs, progress }: Order, origin: string): Promise<Outcome> {
  await attack(origin, 0, 'unknown')
  const findings: string[] = []
  const names = Object.keys(ATTACKS)
  let [most, slowest] = [0, 0]
  for (let run = 0; run < runs; run++) {
    for (const [at, name] of names.entries()) {
      const { wrong, bytes, milliseconds } = await attack(origin, at, name in REFUSALS ? 'rejected' : 'unknown')
      findings.push(...wrong.map((text) => `${name}: ${text}`))
      most = Math.max(most, bytes)
      slowest = Math.max(slowest, milliseconds)
    }
    progress(run + 1, runs)
  }
  return {
    figure:
      counted`${names.length * runs} calls of ${names.length} attacks: at most ${(most / 1_048_576).toFixed(1)} MiB ` +
      counted`more, the slowest ${Math.round(slowest)} ms of a deadline of ${DEADLINE_MS}; ${findings.length} wrong`,
    findings,
  }
}

async function attack(origin: string, at: number, expected: 'rejected' | 'unknown') {
  const client = createPaymentClient({
    baseUrl: `${origin}/${at}`,
    login: 'hostile',
    controlKey: testControlKey(),
    endpointId: '253',
    timeoutMs: expected === 'rejected' ? PATIENT_MS : DEADLINE_MS,
  })
  const memory = watchMemory()
  const began = performance.now()
  const { outcome } = await client.sale(saleInput(cards.approved))
  const milliseconds = performance.now() - began
  const bytes = memory.stop()
  await client.close()
  const wrong = outcome === expected ? [] : [`it was ${outcome}`]
  if (milliseconds > DEADLINE_MS + LATE_MS) wrong.push(`it took ${Math.round(milliseconds)} ms`)
  if (bytes > MOST_BYTES) wrong.push(`it took ${(bytes / 1_048_576).toFixed(1)} MiB more`)
  return { wrong, bytes, milliseconds }
}

/** By how much the memory of the process grew at most, in and outside of the heap; what is only garbage is not counted. */
function watchMemory() {
  collectGarbage()
  const before = held()
  let most = 0
  const look = () => {
    if (held() - before > MOST_BYTES) collectGarbage()
    most = Math.max(most, held() - before)
  }
  const timer = setInterval(look, 5)
  return {
    stop: () => {
      look()
      clearInterval(timer)
      return most
    },
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
