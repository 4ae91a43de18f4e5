import assert from 'node:assert/strict'
import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { namesOf, recordOf, size } from './measure.ts'

/** Enough for V8 to reach the final code of each server: the first rounds take twice as long as the last. */
export const ROUNDS = size(16, 2)
export const CONNECTIONS = 64

/** A server of a benchmark, in a process of its own. */
export interface Server {
  readonly child: ChildProcess
  readonly port: number
}

/** What a server has used: CPU time in microseconds, bytes of its heap, and all that it ever took of it. */
export interface Usage {
  readonly cpu: number
  readonly heap: number
  readonly allocated: number
}

/** Starts a program of this folder, which reports its port. */
export async function startServer(program: string, setUp: object, flags: readonly string[] = []): Promise<Server> {
  const child = fork(join(import.meta.dirname, program), [JSON.stringify(setUp)], {
    execArgv: [...process.execArgv, ...flags],
  })
  child.once('exit', (code) => code === null || code === 0 || process.exit(1))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

/** Starts a server of each name, one after the other. */
export async function startEach<const Name extends string>(
  names: readonly Name[],
  start: (name: Name) => Promise<Server>,
): Promise<Record<Name, Server>> {
  const started: [Name, Server][] = []
  for (const name of names) started.push([name, await start(name)])
  return Object.fromEntries(started) as Record<Name, Server>
}

export async function ask<Answer = Usage>({ child }: Server, question: Serializable): Promise<Answer> {
  child.send(question)
  const [answer] = (await once(child, 'message')) as [Answer]
  return answer
}

/** Ends the servers' processes. */
export function stop(...servers: readonly Server[]): void {
  for (const { child } of servers) child.disconnect()
}

/** In the server's process: reports its port, and answers what is asked; if nothing else is known, with the usage. */
export function report(port: number, answers: (question: unknown) => unknown = () => undefined): void {
  process.once('disconnect', () => process.exit())
  process.on('message', (question) => {
    // If it rejects, the process ends and the benchmark with it.
    void Promise.resolve(answers(question)).then((answer) => process.send?.(answer ?? usage()))
  })
  process.send?.({ port })
}

/** Collects garbage before if the process was started with `--expose-gc`. */
function usage(): Usage {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { used_heap_size: heap, ...statistics } = getHeapStatistics()
  // Since V8 14.
  const { total_allocated_bytes: allocated = Number.NaN } = { total_allocated_bytes: undefined, ...statistics }
  return { cpu: user + system, heap, allocated }
}

/** Listens on a free port of this machine: its number. */
export async function portOf(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

export type Make = (index: number, run: string) => Promise<Uint8Array>
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
  requests = size(2000, 200),
): Promise<Times<Name>> {
  const names = namesOf(contest)
  const never = () => recordOf(names, () => Number.POSITIVE_INFINITY)
  const least = { cpu: never(), wall: never() }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const [server, make] = contest[name]
      const run = `${name}${round}-`
      const made = await makeAll(requests, (index) => make(index, run))
      const before = await ask(server, 'usage')
      const wall = await send(server.port, made, (body, index) => check(body, index, run))
      const { cpu } = await ask(server, 'usage')
      least.cpu[name] = Math.min(least.cpu[name], (cpu - before.cpu) / requests)
      least.wall[name] = Math.min(least.wall[name], wall)
    }
  }
  return least
}

/** So many requests, one after the other. */
export async function makeAll(
  count: number,
  make: (index: number) => Promise<Uint8Array>,
): Promise<readonly Uint8Array[]> {
  const made: Uint8Array[] = []
  while (made.length < count) made.push(await make(made.length))
  return made
}

/**
 * Sends prepared requests on persistent connections, one after the other on each, and checks every answer.
 *
 * @returns microseconds for each, until the last one is answered
 */
export async function send(
  port: number,
  requests: readonly Uint8Array[],
  check: (body: string, index: number) => void,
  connections = CONNECTIONS,
): Promise<number> {
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      const answers = answersOf(socket)
      for (let index = next++; index < requests.length; index = next++) {
        const request = requests[index]
        if (request !== undefined) socket.write(request)
        const { value, done } = await answers.next()
        assert.ok(done !== true, 'the server closed the connection')
        check(value, index)
      }
      socket.destroy()
    }),
  )
  return ((performance.now() - began) * 1000) / requests.length
}

/** The bodies of the answers on a connection, each with a content-length. */
async function* answersOf(socket: Socket): AsyncGenerator<string, void> {
  let text = ''
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1')
    for (let end = endOf(text); end !== undefined; end = endOf(text)) {
      yield text.slice(text.indexOf('\r\n\r\n') + 4, end)
      text = text.slice(end)
    }
  }
}

function endOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [, length = '0'] = /content-length: (\d+)/i.exec(text.slice(0, head)) ?? []
  const end = head + 4 + Number(length)
  return text.length < end ? undefined : end
}
