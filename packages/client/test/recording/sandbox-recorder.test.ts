import type { NewEvent } from '@tallystick/core'
import { describe, expect, test, vi } from 'vitest'
import { type Exchange, type OutgoingRequest, sandboxRecorder } from '../../src/index.ts'

const ADDRESS = 'http://127.0.0.1:9465/__sandbox'
const event = (intentId: string): NewEvent => ({
  half: 'merchant',
  type: 'journal',
  at: 5,
  notice: 'REVIEW',
  intentIds: [intentId],
})
const replied = (httpStatus: number): Exchange => ({ kind: 'replied', httpStatus, mediaType: '', body: '' })

/** A clock whose one timer is run by the test. */
function clockwork() {
  const timers: { delayMs: number; task: () => void }[] = []
  return {
    now: () => 7,
    schedule: (delayMs: number, task: () => void) => {
      const timer = { delayMs, task }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), 1)
    },
    timers,
    ring: () => timers.shift()?.task(),
  }
}

function recorder(answer: () => Exchange | Promise<Exchange>) {
  const clock = clockwork()
  const sent: OutgoingRequest[] = []
  const transport = {
    send: async (request: OutgoingRequest) => {
      sent.push(request)
      return await answer()
    },
    close: async () => {},
  }
  const made = sandboxRecorder({ address: ADDRESS, key: 'operator-key', transport, clock })
  const lines = () => sent.map(({ body }) => body.split('\n').filter((line) => line !== ''))
  return { made, clock, sent, lines }
}

describe('a recorder for a sandbox in another process', () => {
  test('[F-E9] sends what comes at once together, in its order, with the key', async () => {
    const { made, sent, lines, clock } = recorder(() => replied(200))
    made.record(event('one'))
    made.record(event('zwei ü'))
    expect(clock.timers).toHaveLength(1)
    clock.ring()
    await made.flush()
    expect(sent).toMatchObject([
      {
        url: `${ADDRESS}/recording`,
        headers: { authorization: 'Bearer operator-key', 'content-type': 'application/x-ndjson' },
      },
    ])
    expect(sent[0]?.body).toMatch(/^[\0-\x7f]*$/)
    expect(lines()[0]?.map((line) => JSON.parse(line))).toEqual([event('one'), event('zwei ü')])
    expect(made.dropped).toBe(0)
  })

  test('[F-E9] records at once while nothing is sent yet, and never throws', () => {
    const { made, sent } = recorder(() => {
      throw new Error('no transport')
    })
    expect(made.record(event('one'))).toBeUndefined()
    expect(sent).toEqual([])
  })

  test('[F-E9] sends again, later each time, what could not be sent', async () => {
    let answers: Exchange[] = [
      { kind: 'not-sent', seen: 'refused' },
      { kind: 'lost', seen: 'reset' },
      replied(503),
      replied(200),
    ]
    const { made, clock, lines } = recorder(() => {
      const [now = replied(200), ...later] = answers
      answers = later
      return now
    })
    made.record(event('one'))
    const waits: number[] = []
    while (clock.timers.length > 0) {
      waits.push(clock.timers[0]?.delayMs ?? 0)
      clock.ring()
      await vi.waitFor(() => expect(lines()).toHaveLength(waits.length))
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    expect(waits).toEqual([100, 200, 400, 800])
    expect(lines()).toEqual(Array.from({ length: 4 }, () => [JSON.stringify(event('one'))]))
    expect(made.dropped).toBe(0)
  })

  test('[F-E9] says in the recording and by a warning how many were lost while the sandbox was away', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    let isUp = false
    const { made, lines } = recorder(() => (isUp ? replied(200) : { kind: 'not-sent', seen: 'refused' }))
    const large = event('x'.repeat(50_000))
    for (let count = 0; count < 100; count++) made.record(large)
    await made.flush()
    const lost = made.dropped
    expect(lost).toBeGreaterThan(10)
    isUp = true
    await made.flush()
    const all = lines().slice(1).flat()
    expect(JSON.parse(all[0] ?? '')).toEqual({ half: 'merchant', type: 'dropped', at: 7, count: lost })
    expect(all).toHaveLength(1 + 100 - lost)
    expect(warned.mock.calls).toEqual([
      [
        'events of the recording are lost: the sandbox does not take them fast enough',
        {
          type: 'RecordingWarning',
          detail: 'https://tallystick.github.io/tallystick/errors/journal.html#recordingwarning',
        },
      ],
    ])
    warned.mockRestore()
  })

  test('[F-E9] does not send again what the sandbox refuses, such as for a wrong key', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { made, sent } = recorder(() => replied(401))
    made.record(event('one'))
    await made.flush()
    await made.flush()
    expect([sent.length, made.dropped]).toEqual([1, 1])
    expect(warned.mock.calls[0]?.[0]).toContain('operator key')
    warned.mockRestore()
  })

  test('names a wrong option', () => {
    expect(() => sandboxRecorder({ address: 'here' })).toThrow('address must be that of a sandbox')
    expect(() => sandboxRecorder({ address: ADDRESS, token: 'x' } as never)).toThrow('token')
  })
})
