import { type RecordedEvent, writeRecording } from '@tallystick/core'
import { isAboutOrder, readNewEvents } from '@tallystick/core/internal'
import * as z from 'zod'
import { SAFE_HEADERS } from '../http/reply.ts'
import type { StreamedReply } from '../http/server.ts'
import type { Recording } from '../recording/recording.ts'
import { realTime } from '../runtime/system.ts'
import { recordingPage } from './recording-page.ts'
import { type Asked, type Route, readFields, type SandboxGateway, SandboxRequestError } from './route.ts'

const COUNT = 'must be a whole number'
const NUMBER = z
  .string()
  .regex(/^\d{1,15}$/, COUNT)
  .transform(Number)
const Which = z.strictObject({ after: NUMBER.optional(), last: NUMBER.optional(), orderId: z.string().optional() })

const TAKES = {
  after: 'only what comes after the event with this id',
  last: 'only so many events, the latest',
  orderId: 'only what is about this order',
}

/** The recording: what the gateway saw and did, and what shops report. */
export const RECORDING_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/recording$/,
    shown: '/__sandbox/recording',
    takes: TAKES,
    isPrivate: true,
    meaning: 'What happened, an event a line (.ndjson).',
    answer: async (asked, gateway) => {
      const { recording, after, isMeant } = await chosen(asked, gateway)
      return streamed('application/x-ndjson', async function* () {
        for (const [text] of written(recording, after, (event) => (isMeant(event) ? `${JSON.stringify(event)}\n` : '')))
          yield text
      })
    },
  },
  {
    method: 'GET',
    path: /^\/recording\.html$/,
    shown: '/__sandbox/recording.html',
    takes: TAKES,
    isPrivate: true,
    meaning: 'The workbench with what happened in it, as one page that opens without a server.',
    answer: async (asked, gateway) => {
      const { recording, after, isMeant } = await chosen(asked, gateway)
      const meant = [...recording.events(after)].filter(isMeant)
      const orderId = asked.query.get('orderId')
      const title = orderId === null ? 'Recording' : `Order ${orderId}`
      const headers = { ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8', ...DOWNLOAD }
      return { reply: { status: 200, headers, body: await recordingPage(writeRecording(meant), { title }) } }
    },
  },
  {
    method: 'GET',
    path: /^\/recording\/stream$/,
    shown: '/__sandbox/recording/stream',
    takes: TAKES,
    isPrivate: true,
    meaning: 'The same, and then what happens, as server-sent events. It goes on after the header Last-Event-ID.',
    answer: async (asked, gateway) => {
      const { recording, after, isMeant } = await chosen(asked, gateway)
      const line = (event: RecordedEvent) =>
        isMeant(event) ? `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n` : ''
      return streamed('text/event-stream', (ended) => happening(recording, after, line, ended))
    },
  },
  {
    method: 'POST',
    path: /^\/recording$/,
    shown: '/__sandbox/recording',
    meaning: "Adds a shop's own events, an event a line (.ndjson), as sandboxRecorder of the client sends them.",
    answer: async ({ body }, { recording, sandbox }) => {
      if (recording === undefined) throw new SandboxRequestError(NOT_RECORDED)
      const events = reported(body)
      for (const event of events) recording.record(sandbox.masked(event))
      return { body: { recorded: events.length } }
    },
  },
]

/** It is to be opened from a file: as a page of this port it would be one more that could act. */
const DOWNLOAD = { 'content-disposition': 'attachment; filename="recording.html"' }

const NOT_RECORDED = 'this gateway records nothing: it was made with recorder: false'

/** @throws SandboxRequestError that names the first line that is no event */
function reported(body: string) {
  try {
    return readNewEvents(body)
  } catch (error) {
    throw new SandboxRequestError((error as Error).message)
  }
}

function streamed(contentType: string, stream: NonNullable<StreamedReply['stream']>) {
  return { reply: { status: 200, headers: { ...SAFE_HEADERS, 'content-type': contentType }, body: '', stream } }
}

/** Which events are asked for. @throws SandboxRequestError */
async function chosen({ query, headers }: Asked, { recording, sandbox }: SandboxGateway) {
  if (recording === undefined) throw new SandboxRequestError(NOT_RECORDED)
  const { after = 0, last, orderId } = readFields(Which, Object.fromEntries(query))
  const lastSeen = headers['last-event-id']
  const from = last === undefined ? after : Math.max(after, recording.lastId - last)
  const clientOrderId = orderId === undefined ? undefined : (await sandbox.order(orderId))?.clientOrderId
  return {
    recording,
    after: typeof lastSeen === 'string' && /^\d{1,15}$/.test(lastSeen) ? Number(lastSeen) : from,
    isMeant: orderId === undefined ? () => true : (event: RecordedEvent) => isAboutOrder(event, orderId, clientOrderId),
  }
}

/** About the size of a part that is sent at a time. */
const PART = 65_536

/** The events after this one in parts, each with the id of its last event. */
function* written(
  recording: Recording,
  after: number,
  line: (event: RecordedEvent) => string,
): Generator<readonly [text: string, id: number]> {
  let text = ''
  let id = after
  for (const event of recording.events(after)) {
    text += line(event)
    id = event.id
    if (text.length < PART) continue
    yield [text, id]
    text = ''
  }
  yield [text, id]
}

/** So that neither side takes the connection for dead. */
const SIGN_OF_LIFE_MS = 15_000
/** A line that begins with a colon is none. */
const SIGN_OF_LIFE = ':\n\n'

async function* happening(
  recording: Recording,
  after: number,
  line: (event: RecordedEvent) => string,
  ended: AbortSignal,
): AsyncGenerator<string> {
  let wake = () => {}
  const wakeUp = () => wake()
  const unsubscribe = recording.subscribe(wakeUp)
  const stop = realTime.every(SIGN_OF_LIFE_MS, wakeUp)
  ended.addEventListener('abort', wakeUp)
  let seen = after
  try {
    while (!ended.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      for (const [text, id] of written(recording, seen, line)) {
        yield text === '' ? SIGN_OF_LIFE : text
        seen = id
      }
      await woken
    }
  } finally {
    stop()
    unsubscribe()
    ended.removeEventListener('abort', wakeUp)
  }
}
