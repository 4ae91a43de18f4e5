import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { send } from './load.ts'

/** Enough for V8 to reach the final code of each server: the first rounds take twice as long as the last. */
export const ROUNDS = 16
const CONNECTIONS = 64

/** A server of a benchmark, in a process of its own. */
export interface Server {
  readonly child: ChildProcess
  readonly port: number
}

export async function startServer(
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<Server> {
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: [...process.execArgv, '--no-warnings', ...flags],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

type Make = (index: number, run: string) => Uint8Array
/** Throws if an answer is wrong. */
type Check = (body: string, index: number, run: string) => void

/** The time of a request in microseconds: the least of several rounds in which all servers take turns. */
export interface Times<Name extends string> {
  /** CPU time of the server's process. */
  readonly cpu: Record<Name, number>
  /** Elapsed time, from which requests per second follow. The sender uses the same cores. */
  readonly wall: Record<Name, number>
}

export async function leastTimes<const Name extends string>(
  check: Check,
  contest: Readonly<Record<Name, readonly [server: Server, make: Make]>>,
  requests = 2000,
): Promise<Times<Name>> {
  const names = Object.keys(contest) as Name[]
  const never = () => Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<Name, number>
  const least = { cpu: never(), wall: never() }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const run = `${name}${round}-`
      const { cpu, wall } = await timesOf(contest[name], { run, check, requests })
      least.cpu[name] = Math.min(least.cpu[name], cpu)
      least.wall[name] = Math.min(least.wall[name], wall)
    }
  }
  return least
}

interface Round {
  readonly run: string
  readonly check: Check
  readonly requests: number
}

async function timesOf([{ child, port }, make]: readonly [Server, Make], { run, check, requests }: Round) {
  const made = Array.from({ length: requests }, (_, index) => make(index, run))
  const before = await cpuOf(child)
  const began = performance.now()
  await send({ port, connections: CONNECTIONS, requests: made, check: (body, index) => check(body, index, run) })
  const wall = (performance.now() - began) * 1000
  return { cpu: ((await cpuOf(child)) - before) / requests, wall: wall / requests }
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: number }]
  return cpu
}
