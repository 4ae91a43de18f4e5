/** A session is recorded, saved, read and played again to the same bytes. */
import { type RecordedEvent, readRecording, writeRecording } from '@tallystick/core'
import { orderSteps } from '@tallystick/core/internal'
import { recordingPage } from '@tallystick/gateway'
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { callbacksOf } from '@tallystick/workbench/sent-callbacks'
import { errorsOf, rowsOf } from '@tallystick/workbench/timeline'
import { playSession, type Session } from './sessions/session.ts'

await prove({
  name: 'recordings',
  meaning:
    'Orders of all kinds, with faults and moves of the clock, are played on a gateway, and recorded. The recording is saved as a\n' +
    'page and as lines, and read from both. All must be the same bytes, and so must what the workbench shows of them; and when\n' +
    'the same session is played again, its recording.',
  runs: { of: 'sessions', long: 1000, quick: 40 },
  run,
})

async function run({ runs, random, progress }: Order): Promise<Outcome> {
  const findings: string[] = []
  let [events, bytes] = [0, 0]
  for (let done = 0; done < runs; done++) {
    const seed = random.below(2 ** 31)
    const options = {
      seed,
      orders: 1 + random.below(4),
      callbackUrl: 'https://shop.example.com/callback',
      drawsFaults: random.below(2) === 0,
    }
    const [first, second] = [await play(options), await play(options)]
    const differs = (what: string) => void findings.push(`seed ${seed}: ${what} differs`)
    if (second.recording !== first.recording) differs('the session that is played again')
    const page = await recordingPage(first.recording, { title: `Session ${seed}` })
    if (writeRecording(readRecording(page)) !== first.recording) differs('what is read from the page')
    if (writeRecording(readRecording(first.recording)) !== first.recording) differs('what is read from lines')
    const shown = shownOf(readRecording(first.recording), first)
    if (shownOf(readRecording(page), second) !== shown) differs('what is shown of the page')
    events += readRecording(first.recording).length
    bytes += first.recording.length
    progress(done + 1, runs)
  }
  const figure = counted`${runs} sessions, ${events} events, ${Math.round(bytes / 1024)} KiB: ${findings.length} differ`
  return { figure, findings }
}

/** A shop that refuses at times: by the order, so that it does the same each time. */
async function play(options: Omit<Parameters<typeof playSession>[0], 'sendCallback'>): Promise<Session> {
  let calls = 0
  return await playSession({ ...options, sendCallback: async () => ({ status: ++calls % 4 === 0 ? 500 : 200 }) })
}

/** All that the workbench makes of a recording. */
function shownOf(events: readonly RecordedEvent[], { orderIds }: Session): string {
  const named = new Map(
    events.flatMap((event) => (event.type === 'state' ? [[event.orderId, event.clientOrderId] as const] : [])),
  )
  const orders = orderIds.map((orderId) => orderSteps(events, orderId, named.get(orderId) ?? ''))
  return JSON.stringify([rowsOf(events), errorsOf(events), callbacksOf(events), orders])
}
