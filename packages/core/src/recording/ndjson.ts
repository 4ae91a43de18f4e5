import { maskCardNumbers } from '../sensitive/mask-card-numbers.ts'
import type { NewEvent, RecordedEvent } from './recorded-event.ts'

/** The line of an event in a file, with its line feed. @param json the event before it was recorded */
export function recordedLine(id: number, json: string): string {
  return `{"version":1,"id":${id},${json.slice(1)}\n`
}

/** The recording as text: an event a line, as JSON (`.ndjson`). Equal recordings are equal texts. */
export function writeRecording(events: Iterable<RecordedEvent>): string {
  let text = ''
  for (const { version: _, id, ...event } of events) text += recordedLine(id, JSON.stringify(event))
  return text
}

/** By half. A newer gateway may record other kinds of events: they are kept as they are. */
const HALVES: ReadonlySet<unknown> = new Set(['gateway', 'merchant'])

/** Where a page in one file has its recording. */
const IN_PAGE = /<script type="application\/x-ndjson"[^<>]*>\n([^<]*)<\/script>/

/** A recording as text, as the contents of a script element of a page: nothing in it ends the element. `readRecording` reads the page. */
export function recordingInPage(ndjson: string): string {
  // In JSON this character is only in texts, where it may be written so.
  return `<script type="application/x-ndjson" id="recording">\n${ndjson.replaceAll('<', '\\u003c')}</script>`
}

/**
 * The events of a recording that was written as text, or that is in a page in one file. What is in an event beyond its version, id,
 * time, half and type is not checked: whoever wrote the file answers for it.
 *
 * @throws TypeError that names the first line that is no event
 */
export function readRecording(text: string): readonly RecordedEvent[] {
  const events: RecordedEvent[] = []
  const lines = text.startsWith('<') ? (IN_PAGE.exec(text)?.[1] ?? text) : text
  for (const [index, line] of lines.split('\n').entries()) {
    if (line === '') continue
    const event = parsed(line)
    if (!isRecorded(event)) throw new TypeError(`line ${index + 1} is no event of a recording of version 1`)
    if (event.id <= (events.at(-1)?.id ?? 0)) throw new TypeError(`line ${index + 1} has the id of an event before it`)
    events.push(event)
  }
  return events
}

/**
 * The events in a text of lines that have no ids yet, as the merchant's half sends them. Card numbers are masked once more: nobody
 * knows who sends.
 *
 * @throws TypeError that names the first line that is none
 */
export function readNewEvents(text: string): readonly NewEvent[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line, index) => {
    const event = parsed(line, (_, value: unknown) => (typeof value === 'string' ? maskCardNumbers(value) : value))
    if (!isEvent(event) || event.half !== 'merchant') throw new TypeError(`line ${index + 1} is no event of a merchant`)
    return event
  })
}

function parsed(line: string, revive?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(line, revive)
  } catch {
    return undefined
  }
}

function isRecorded(given: unknown): given is RecordedEvent {
  const { version, id } = Object(given) as Partial<RecordedEvent>
  return version === 1 && Number.isSafeInteger(id) && isEvent(given)
}

function isEvent(given: unknown): given is NewEvent {
  const { half, type, at } = Object(given) as Partial<NewEvent>
  return HALVES.has(half) && typeof type === 'string' && Number.isFinite(at)
}
