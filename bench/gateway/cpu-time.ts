import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { send } from './load.ts'

/** Enough that V8 has made the code of each that it runs from then on: the first rounds take twice what the last do. */
export const ROUNDS = 16
const CONNECTIONS = 64

/** A server of a benchmark in a process of its own. */
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
/** Throws when an answer is not the right one. */
type Check = (body: string, index: number, run: string) => void

/** What a request takes, in microseconds, the least of several rounds in which all take turns. */
export interface Times<Name extends string> {
  /** CPU time of the server's process. */
  readonly cpu: Record<Name, number>
  /** Time that goes by: what requests per second come from. The sender takes its part of the cores. */
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
