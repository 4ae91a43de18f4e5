import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '../arguments/parse.ts'
import type { Exchanged, ExchangeRequest, RunningCommand, Served, ServedReply, ServeRequest } from '../world.ts'

/** What `certify shop` needs of the machine: a client without a memory, a server that may break off, processes. */

const TIMEOUT_MS = 30_000

/** A connection of its own each time: one that was kept alive may end with the shop's process, and say nothing about its next. */
export function exchange({
  method,
  url,
  headers = {},
  body,
  timeoutMs = TIMEOUT_MS,
}: ExchangeRequest): Promise<Exchanged> {
  return new Promise((resolve) => {
    const fail = (failure: string) => resolve({ failure })
    if (!URL.canParse(url)) return fail(`${url} is no address`)
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options = { method, headers: { ...headers, ...length }, agent: false, signal: AbortSignal.timeout(timeoutMs) }
    const request = send(url, options, (reply) => {
      textOf(reply).then(
        (text) => resolve({ status: reply.statusCode ?? 0, headers: reply.headersDistinct, body: text }),
        (error: unknown) => fail(reasonOf(error, timeoutMs)),
      )
    })
    request.once('error', (error) => fail(reasonOf(error, timeoutMs)))
    request.end(body)
  })
}

function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, code, message } = error as NodeJS.ErrnoException
  return name === 'AbortError' || name === 'TimeoutError' ? `no answer within ${timeoutMs / 1000} s` : (code ?? message)
}

async function textOf(message: IncomingMessage, encoding: BufferEncoding = 'utf8'): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString(encoding)
}

/** @throws UsageError if nobody can listen there */
export async function serve(handle: ServeRequest, port: number): Promise<Served> {
  const server = createServer((incoming, response) => {
    answer(incoming, response, handle).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`nobody can listen on the port ${port} (${error.code}): give another with --port`)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function answer(incoming: IncomingMessage, response: ServerResponse, handle: ServeRequest): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const { method = '', url = '', headersDistinct, socket } = incoming
  const headers = Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  )
  const body = await textOf(incoming, 'latin1')
  const reply = await handle({ method, url, headers, body, peer: socket.remoteAddress }, gone.signal)
  if (!response.destroyed) send(response, reply)
}

function send(response: ServerResponse, { status, headers, body, cut }: ServedReply): void {
  if (cut === 'before-reply') return void response.destroy()
  const bytes = Buffer.byteLength(body)
  if (cut === undefined) return void response.writeHead(status, { ...headers, 'content-length': bytes }).end(body)
  response.writeHead(status, { ...headers, 'content-length': bytes + 1 }).write(body, () => response.destroy())
}

/** As shells show it. */
const ENDED_BY_SIGNAL = 130

/** The end of what a command has printed is enough to see why it fails. */
const KEPT_CHARACTERS = 4000

export function execute(command: string, environment: Readonly<Record<string, string>>): RunningCommand {
  const isWindows = process.platform === 'win32'
  // A group of its own, so that all of it can be ended: the shell, and the shop that it has started.
  const child = spawn(command, {
    shell: true,
    detached: !isWindows,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-KEPT_CHARACTERS)
    })
  }
  let isKilled = false
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      // What it leaves running may hold these open, which is no reason for this process to stay.
      for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref()
      const isAllGone = isKilled && child.pid !== undefined && !isWindows ? groupEnd(child.pid) : Promise.resolve()
      void isAllGone.then(() => resolve(code))
    })
    child.once('error', () => resolve(1))
  })
  const kill = () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    isKilled = true
    if (isWindows) child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  }
  // A shop that outlived the command would answer for the next one.
  const stop = () => {
    kill()
    process.exit(ENDED_BY_SIGNAL)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop).once('exit', kill)
  void ended.then(() => process.off('SIGINT', stop).off('SIGTERM', stop).off('exit', kill))
  return { ended, printed: () => printed, kill }
}

const GROUP_END_MS = 5000
const LOOK_EVERY_MS = 20

/** The first process of a killed group may be gone before the others, which still have its port and its files. */
async function groupEnd(group: number): Promise<void> {
  for (let waited = 0; waited < GROUP_END_MS; waited += LOOK_EVERY_MS) {
    try {
      process.kill(-group, 0)
    } catch {
      return
    }
    await pause(LOOK_EVERY_MS)
  }
}

export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}
