import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type NewEvent, type RecordedEvent, type Recorder, writeRecording } from '@tallystick/core'
import { checkOptions, type Decide, type Validators, validator } from '@tallystick/core/internal'
import { afterTurn, realTime } from '../runtime/system.ts'
import { type Decisions, decisions } from './decisions.ts'

/** Takes events, and shows them: to whoever reads it later, and to whoever listens. */
export interface Recording extends Recorder {
  /** Returns the event's id. */
  record(event: NewEvent): number
  /**
   * Records an event that is made when this turn of the event loop ends, or before if somebody reads or listens. Until then the
   * function is kept with all that it refers to, which must not change.
   */
  recordLater(make: () => NewEvent): number
  /** The events that are kept, the oldest first. `after`: only those with a larger id. */
  events(after?: number): Generator<RecordedEvent, undefined>
  /** The same as text, an event a line (`.ndjson`): equal recordings are equal texts. `readRecording` of core reads it. */
  ndjson(after?: number): string
  /** The id of the last event. 0: there is none. */
  readonly lastId: number
  /** How many events are no longer kept, because there were too many. Each time some are dropped, an event says how many. */
  readonly dropped: number
  /**
   * Calls the listener after each event, from now on. What it throws is not caught: it must not throw. The function returned
   * ends that.
   */
  subscribe(listener: (event: NewEvent, id: number) => void): () => void
  /** What persons decide in the workbench. */
  readonly decisions: Decisions
  /** For a journal in this process that takes them. The function returned ends that. */
  onDecision(decide: Decide): () => void
}

const KINDS: Validators<{ readonly maxBytes?: number | undefined }> = { maxBytes: validator.count }

const USUAL_BYTES = 64 * 1024 * 1024

/** Large enough to compress well, and small enough that a payment does not wait for it: 0.1 ms. */
const BLOCK_LENGTH = 256 * 1024

/** Written one after the other they cost half of what they cost between other work. */
const MOST_WAITING = 256

/** The level of Zstandard: lower ones take a tenth of a microsecond less for an event, and a seventh more memory. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Events that follow each other: lines, each with some of them as JSON, without their ids. */
interface Block {
  readonly firstId: number
  readonly count: number
  readonly compressed: Uint8Array
}

/**
 * A recording in memory: what it takes is written as JSON, and compressed in blocks.
 *
 * @param options `maxBytes`: how much memory it may take. If there are more events, the oldest are dropped, some hundred at a time.
 *   Default 64 MiB: more than 100,000 requests with what followed from them
 * @throws TypeError for a wrong option
 */
export function createRecording(options: { readonly maxBytes?: number | undefined } = {}): Recording {
  checkOptions('createRecording', options, KINDS)
  const { maxBytes = USUAL_BYTES } = options
  const listeners = new Set<(event: NewEvent, id: number) => void>()
  const decided = decisions(realTime)
  const blocks: Block[] = []
  let compressedBytes = 0
  let open: string[] = []
  let openLength = 0
  let openFrom = 1
  let lastId = 0
  let lastWritten = 0
  let waiting: (() => NewEvent)[] = []
  const blockLength = Math.min(BLOCK_LENGTH, maxBytes / 8)
  const mostWaiting = Math.min(MOST_WAITING, Math.ceil(maxBytes / 65_536))
  let dropped = 0

  function recordLater(make: () => NewEvent): number {
    waiting.push(make)
    lastId += 1
    const id = lastId
    if (listeners.size > 0 || waiting.length >= mostWaiting) write()
    else if (waiting.length === 1) afterTurn(write)
    return id
  }

  /** Writes the events that wait. */
  function write(): void {
    if (waiting.length === 0) return
    const made = waiting.map(eventOf)
    waiting = []
    append(made)
    const count = dropOldest()
    if (count === 0) return
    lastId += 1
    append([{ half: 'gateway', type: 'dropped', at: made.at(-1)?.at ?? 0, count }])
  }

  function append(events: readonly NewEvent[]): void {
    const line = JSON.stringify(events)
    if (openLength > 0 && openLength + line.length > blockLength) compressOpen()
    open.push(line)
    openLength += line.length
    for (const event of events) {
      lastWritten += 1
      for (const listener of listeners) listener(event, lastWritten)
    }
  }

  function compressOpen(): void {
    // A copy of its own size: the result may be a part of a larger buffer.
    const compressed = new Uint8Array(zstdCompressSync(open.join('\n'), COMPRESSION))
    blocks.push({ firstId: openFrom, count: lastWritten + 1 - openFrom, compressed })
    compressedBytes += compressed.byteLength
    open = []
    openLength = 0
    openFrom = lastWritten + 1
  }

  function dropOldest(): number {
    let [count, first] = [0, 0]
    for (; compressedBytes + openLength > maxBytes && first < blocks.length; first++) {
      const oldest = blocks[first] as Block
      compressedBytes -= oldest.compressed.byteLength
      count += oldest.count
    }
    blocks.splice(0, first)
    dropped += count
    return count
  }

  function* eventsAfter(after: number): Generator<RecordedEvent, undefined> {
    write()
    // What is recorded while this is read is not part of it.
    const now = { blocks: [...blocks], openFrom, open: [...open] }
    for (const { firstId, count, compressed } of now.blocks) {
      if (firstId + count > after + 1) {
        yield* eventsIn(zstdDecompressSync(compressed).toString().split('\n'), firstId, after)
      }
    }
    yield* eventsIn(now.open, now.openFrom, after)
    return undefined
  }

  return {
    record: (event) => recordLater(() => event),
    recordLater,
    events: (after = 0) => eventsAfter(after),
    ndjson: (after = 0) => writeRecording(eventsAfter(after)),
    get lastId() {
      return lastId
    },
    get dropped() {
      write()
      return dropped
    },
    subscribe: (listener) => {
      write()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    decisions: decided,
    onDecision: decided.onDecision,
  }
}

/** A payment must not fail because it is recorded: an event that cannot be made is told as lost. */
function eventOf(make: () => NewEvent): NewEvent {
  try {
    return make()
  } catch {
    return { half: 'gateway', type: 'dropped', at: 0, count: 1 }
  }
}

/** The events of a block with their ids, without those up to `after`. */
function* eventsIn(lines: readonly string[], firstId: number, after: number): Generator<RecordedEvent> {
  let id = firstId
  for (const line of lines) {
    for (const event of JSON.parse(line) as readonly NewEvent[]) {
      if (id > after) yield { version: 1, id, ...event }
      id += 1
    }
  }
}
