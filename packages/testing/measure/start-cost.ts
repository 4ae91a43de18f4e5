/**
 * Measures what a gateway of its own costs each test, compared with a bare server of node:http in the same run. Starts each in
 * turn, and checks that it answers; only the start is timed.
 *
 *     node --conditions=@tallystick/source packages/testing/measure/start-cost.ts
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { saleInput, startGateway, testKeyPair } from '../src/index.ts'

const ROUNDS = 300
const WARM_UP = 100

/** Starts something, checks that it works, and gives the milliseconds that the start took. */
type Start = () => Promise<number>

const starts: Readonly<Record<string, Start>> = {
  'node:http server': async () => {
    const began = performance.now()
    const server = createServer((_, response) => void response.end('here'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const took = performance.now() - began
    const { port } = server.address() as AddressInfo
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text(), 'here')
    await new Promise((resolve) => server.close(resolve))
    return took
  },
  'startGateway()': () => timed(() => startGateway()),
  'startGateway({ socket: false })': () => timed(() => startGateway({ socket: false })),
}

async function timed(start: () => ReturnType<typeof startGateway>): Promise<number> {
  const began = performance.now()
  const gateway = await start()
  const took = performance.now() - began
  assert.equal((await gateway.client().sale(saleInput())).outcome, 'accepted')
  await gateway.settled()
  await gateway.close()
  return took
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

const began = performance.now()
testKeyPair()
process.stdout.write(`keys, once in a process: ${(performance.now() - began).toFixed(0)} ms\n`)

const times = new Map(Object.keys(starts).map((name) => [name, [] as number[]]))
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  for (const [name, start] of Object.entries(starts)) {
    const took = await start()
    if (round >= WARM_UP) times.get(name)?.push(took)
  }
}
for (const [name, each] of times) process.stdout.write(`${name}: ${median(each).toFixed(2)} ms, median of ${ROUNDS}\n`)
