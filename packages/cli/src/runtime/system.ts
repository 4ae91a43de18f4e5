import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { textOfFile } from '@tallystick/signing/internal'
import { UsageError } from '../arguments/parse.ts'
import type { Answer, CallbackListener, ListenAddress, SentRequest, StreamedAnswer, World } from '../world.ts'
import { ask, exchange, execute, serve } from './shop-side.ts'

/** How long an answer may take. */
const TIMEOUT_MS = 30_000

const STANDARD_INPUT = 0

export const system: World = {
  environment: process.env,
  secrets: new Set(),
  read: (file) => {
    try {
      return textOfFile(readFileSync(file === '-' ? STANDARD_INPUT : file))
    } catch (error) {
      throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  },
  // Windows has no such bits. The standard input is no file.
  isOpen: (file) =>
    process.platform !== 'win32' &&
    file !== '-' &&
    ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o004) !== 0,
  // 0 if the terminal does not say.
  columns: process.stdout.columns || undefined,
  print: (text) => write(process.stdout, text),
  paint: (text) => writeAsItIs(process.stdout, text),
  isTerminal: process.stdout.isTTY === true,
  isColoured: process.stdout.isTTY && process.stdout.hasColors(),
  warn: (text) => write(process.stderr, `${text}\n`),
  now: () => Date.now(),
  nonce: () => randomUUID(),
  send,
  stream,
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
  listen: listenForCallbacks,
  exchange,
  serve,
  execute,
  write: (file, text) => writeFileSync(file, text),
  ask,
}

/** How often it looks whether a callback came. */
const POLL_MS = 50

/** @throws UsageError if nobody can listen there */
async function listenForCallbacks({ host, port }: ListenAddress): Promise<CallbackListener> {
  const queries: string[] = []
  const server = createServer((request, response) => {
    queries.push(request.url?.replace(/^[^?]*\?/, '') ?? '')
    response.end('OK')
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const where = host === undefined ? `the port ${port}` : `the port ${port} of ${host}`
    throw new UsageError(`nobody can listen on ${where} (${error.code}): give another with --callback-listen`)
  })
  return {
    received: () => queries.length,
    wait: async (clientOrderId, deadlineMs) => {
      const isOf = (query: string) => new URLSearchParams(query).get('client_orderid') === clientOrderId
      for (const end = performance.now() + deadlineMs; performance.now() < end; await pause(POLL_MS)) {
        const query = queries.find(isOf)
        if (query !== undefined) return query
      }
      return undefined
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}

/** Found by the name of the package, because a bundle lies elsewhere than this file. */
export function manifest(): Manifest {
  const file = new URL(import.meta.resolve('tallystick/package.json'))
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Redirects are answers, and not followed. */
async function send({ method, url, headers = {}, body }: SentRequest): Promise<Answer> {
  const started = performance.now()
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const reply = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    })
    const text = await reply.text()
    const milliseconds = Math.round(performance.now() - started)
    return { status: reply.status, statusText: reply.statusText, body: text, milliseconds }
  } catch (error) {
    return { failure: reasonOf(error) }
  }
}

/** Waits for the head of the answer alone: its body may take for ever. */
async function stream({ method, url, headers = {} }: SentRequest): Promise<StreamedAnswer> {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(new DOMException('', 'TimeoutError')), TIMEOUT_MS)
  try {
    const { status, statusText, body } = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: waiting.signal,
    })
    return { status, statusText, lines: linesOf(body ?? []) }
  } catch (error) {
    return { failure: reasonOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const bytes of body) {
      const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch {
    // The other side has gone in the middle of the answer.
  }
  if (rest !== '') yield rest
}

/**
 * `fetch` says only that it failed, and why in the cause: if several addresses were tried, by its code alone. OpenSSL's own
 * reasons are lines of its source.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`
  const { message, code } = (error.cause ?? {}) as { readonly message?: string; readonly code?: string }
  return (code?.startsWith('ERR_SSL_') ? code : message) || code || error.message
}

/** As a shell reports a program that ended because nobody read its output: 128 and the number of SIGPIPE. */
const NOBODY_READS = 141

/** As `sysexits.h` numbers it (EX_IOERR): nobody takes it for a verdict. */
const CANNOT_WRITE = 74

/** All but the tab and the line feed. */
const CONTROL = /(?![\t\n])\p{Cc}/gu

/** What is printed quotes requests and replies of others, and a terminal would obey the signs in them. JSON stays what it is. */
function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Writes to the standard output or error. The command ends if that is impossible: what it found would be lost. */
function write(stream: NodeJS.WriteStream, text: string): void {
  writeAsItIs(stream, text.replaceAll(CONTROL, escaped))
}

function writeAsItIs(stream: NodeJS.WriteStream, text: string): void {
  if (!stream.listeners('error').includes(end)) stream.on('error', end)
  stream.write(text)
}

/** Without a word if the reader has enough, such as `head`. */
function end({ code }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit(NOBODY_READS)
  process.stderr.write(`tallystick: the output cannot be written (${code})\n`)
  process.exit(CANNOT_WRITE)
}
