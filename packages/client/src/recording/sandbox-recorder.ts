import type { NewEvent, Recorder } from '@tallystick/core'
import {
  checkOptions,
  type Decide,
  errorUrl,
  type Validators,
  validator,
  type WorkbenchDecision,
} from '@tallystick/core/internal'
import { backgroundClock, type Clock, randomNonce } from '../runtime/system.ts'
import type { Exchange, Transport, TransportOptions } from '../transport/transport.ts'
import { undiciTransport } from '../transport/undici-transport.ts'

/** Sends the events of the client and the journal to a sandbox in another process. */
export interface SandboxRecorder extends Recorder {
  /** Asks the sandbox for decisions from then on: only for a journal that takes them. */
  onDecision(decide: Decide): () => void
  /** How many events were lost: the sandbox could not be reached for too long, or did not take them. */
  readonly dropped: number
  /** Sends what waits now, once. Resolves also if that fails. */
  flush(): Promise<void>
  /** Sends what waits, once, and takes no more. */
  close(): Promise<void>
}

interface SandboxRecorderOptions {
  /** Of the sandbox's port: `http://127.0.0.1:9465/__sandbox`. */
  readonly address: string
  /** Its operator key. Default: it asks for none. */
  readonly key?: string | undefined
  /** Sends the batches. Default HTTP/1.1 over undici. It is closed with the recorder. */
  readonly transport?: Transport | undefined
  /** Default the system's. Its timers should keep no process alive. */
  readonly clock?: Clock | undefined
}

const KINDS: Validators<SandboxRecorderOptions> = {
  address: validator.required(validator.text),
  key: validator.text,
  transport: validator.withMethods('a transport', 'send', 'close'),
  clock: validator.withMethods('a clock', 'now', 'schedule'),
}

/** Events of a moment go together. */
const WAIT_MS = 100
/** After a failure, twice as long each time. */
const LONGEST_WAIT_MS = 30_000
const TIMEOUT_MS = 10_000
/** Longer than the sandbox waits for a decision. */
const DECISION_TIMEOUT_MS = 30_000
/** Less than the sandbox reads of a body. */
const MOST_IN_BATCH = 60_000
/** Of what waits, in characters. */
const MOST_WAITING = 4_000_000

/**
 * A recorder for a client or a journal whose sandbox is another process. It never delays or fails a payment: events wait in memory, at
 * most 4 MB, and are sent in batches, again and again while the sandbox cannot be reached. If there are too many the oldest are
 * dropped: the recording gets an event that says how many, and this process a warning (`RecordingWarning`).
 *
 * @throws TypeError for a wrong option
 */
export function sandboxRecorder(options: SandboxRecorderOptions): SandboxRecorder {
  checkOptions('sandboxRecorder', options, KINDS)
  const { address, key, transport = undiciTransport(), clock = backgroundClock } = options
  const base = address.replace(/\/$/, '')
  if (!URL.canParse(base))
    throw new TypeError('sandboxRecorder: address must be that of a sandbox, such as http://127.0.0.1:9465/__sandbox')
  const waiting: string[] = []
  /** How many have left `waiting` so far. */
  let taken = 0
  let length = 0
  let dropped = 0
  let untold = 0
  let failures = 0
  let isClosed = false
  let cancel: (() => void) | undefined
  let sending: Promise<void> | undefined
  const endings = new Set<AbortController>()

  function drop(count: number, why: string): void {
    if (dropped === 0) {
      const detail = errorUrl('journal', 'RecordingWarning')
      process.emitWarning(`events of the recording are lost: ${why}`, { type: 'RecordingWarning', detail })
    }
    dropped += count
    untold += count
  }

  function take(event: NewEvent): void {
    const line = lineOf(event)
    waiting.push(line)
    length += line.length
    let [oldest, left] = [0, length]
    while (left > MOST_WAITING) left -= waiting[oldest++]?.length ?? 0
    if (oldest === 0) return
    remove(oldest)
    drop(oldest, 'the sandbox does not take them fast enough')
  }

  function remove(count: number): void {
    for (const line of waiting.splice(0, count)) length -= line.length
    taken += count
  }

  function plan(delayMs: number): void {
    cancel ??= clock.schedule(delayMs, () => {
      cancel = undefined
      void send()
    })
  }

  /** One batch under way at a time, so that events arrive in their order. Never rejects. */
  function send(): Promise<void> {
    sending ??= sendBatch().finally(() => {
      sending = undefined
      if (waiting.length > 0 && !isClosed) plan(failures === 0 ? 0 : Math.min(WAIT_MS * 2 ** failures, LONGEST_WAIT_MS))
    })
    return sending
  }

  async function sendBatch(): Promise<void> {
    const told = untold
    const lost: NewEvent = { half: 'merchant', type: 'dropped', at: clock.now(), count: told }
    let body = told === 0 ? '' : lineOf(lost)
    let count = 0
    for (; count < waiting.length; count++) {
      const line = waiting[count] ?? ''
      if (count > 0 && body.length + line.length > MOST_IN_BATCH) break
      body += line
    }
    const from = taken
    const answer = body === '' ? 'taken' : outcomeOf(await exchanged('/recording', body))
    if (answer === 'unreachable') {
      failures += 1
      return
    }
    failures = 0
    untold -= told
    // Some of the batch may have been dropped meanwhile.
    remove(Math.max(0, count - (taken - from)))
    if (answer === 'refused') drop(count, 'the sandbox refuses them: check its address and its operator key')
  }

  async function exchanged(
    path: string,
    body: string,
    limits?: Partial<TransportOptions>,
  ): Promise<Exchange | undefined> {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const headers = { 'content-type': 'application/x-ndjson', ...authorization }
    const options = { timeoutMs: TIMEOUT_MS, signal: undefined, ...limits }
    return await transport.send({ url: `${base}${path}`, headers, body }, options).catch(() => undefined)
  }

  /** Asks what to decide, again and again: the sandbox answers when there is something, or after a while. */
  async function followDecisions(decide: Decide, signal: AbortSignal): Promise<void> {
    const journal = randomNonce()
    let answered: { readonly id: number; readonly error?: string } | undefined
    for (let failures = 0; !signal.aborted && !isClosed; ) {
      const body = lineOf({ journal, answered })
      const exchange = await exchanged('/decisions/next', body, { timeoutMs: DECISION_TIMEOUT_MS, signal })
      if (outcomeOf(exchange) !== 'taken') {
        failures += 1
        await paused(Math.min(WAIT_MS * 2 ** failures, LONGEST_WAIT_MS), signal)
        continue
      }
      failures = 0
      const told = toldIn(exchange)
      answered =
        told &&
        (await decide(told.decision).then(
          () => ({ id: told.id }),
          (error: Error) => ({ id: told.id, error: error.message }),
        ))
    }
  }

  function paused(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.schedule(delayMs, resolve)
      signal.addEventListener('abort', () => {
        cancel()
        resolve()
      })
    })
  }

  async function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    await sending
    while (waiting.length > 0) {
      await send()
      if (failures > 0) return
    }
  }

  return {
    record: (event) => {
      if (isClosed) return
      take(event)
      if (sending === undefined) plan(WAIT_MS)
    },
    onDecision: (decide) => {
      const ended = new AbortController()
      endings.add(ended)
      void followDecisions(decide, ended.signal)
      return () => {
        endings.delete(ended)
        ended.abort()
      }
    },
    get dropped() {
      return dropped
    },
    flush,
    close: async () => {
      isClosed = true
      for (const ended of endings) ended.abort()
      await flush()
      cancel?.()
      if (waiting.length > 0) drop(waiting.length, 'the sandbox cannot be reached')
      await transport.close()
    },
  }
}

function outcomeOf(exchange: Exchange | undefined): 'taken' | 'refused' | 'unreachable' {
  if (exchange?.kind !== 'replied' || exchange.httpStatus >= 500 || exchange.httpStatus === 429) return 'unreachable'
  return exchange.httpStatus < 300 ? 'taken' : 'refused'
}

interface Told {
  readonly id: number
  readonly decision: WorkbenchDecision
}

/** What there is to decide, if anything. */
function toldIn(exchange: Exchange | undefined): Told | undefined {
  const told: Partial<Told> = exchange?.kind === 'replied' ? JSON.parse(exchange.body) : {}
  return told.id === undefined || told.decision === undefined ? undefined : { id: told.id, decision: told.decision }
}

/** In ASCII, as transports send it. */
function lineOf(said: object): string {
  const json = JSON.stringify(said)
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `${ascii}\n`
}
