import { hash } from 'node:crypto'
import { type NewEvent, readRecording, writeRecording } from '@tallystick/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRecording } from '../../src/index.ts'

const moved = (byMs: number): NewEvent => ({ half: 'gateway', type: 'clock', at: byMs, byMs })
const ofNoise = (text: string): NewEvent => ({
  half: 'gateway',
  type: 'fault',
  at: 1,
  what: 'set',
  clientOrderId: text,
})

/** Text of which a byte has six bits that nobody can guess: it compresses to three quarters. */
const noise = (length: number, seed: number) =>
  Array.from({ length: Math.ceil(length / 43) }, (_, at) => hash('sha256', `${seed} ${at}`, 'base64url'))
    .join('')
    .slice(0, length)

describe('a recording', () => {
  test('[F-E2] numbers its events from 1 on, and shows them in their order', () => {
    const recording = createRecording()
    expect([recording.record(moved(5)), recording.record(moved(7))]).toEqual([1, 2])
    expect([...recording.events()]).toEqual([
      { version: 1, id: 1, half: 'gateway', type: 'clock', at: 5, byMs: 5 },
      { version: 1, id: 2, half: 'gateway', type: 'clock', at: 7, byMs: 7 },
    ])
    expect(recording.ndjson()).toBe(
      '{"version":1,"id":1,"half":"gateway","type":"clock","at":5,"byMs":5}\n' +
        '{"version":1,"id":2,"half":"gateway","type":"clock","at":7,"byMs":7}\n',
    )
  })

  test('[F-E2] shows what came after an event, however far back that is', () => {
    const recording = createRecording({ maxBytes: 400_000 })
    for (let count = 0; count < 3000; count++) recording.record(ofNoise(`${count}`))
    for (const after of [0, 1, 699, 700, 1500, 2999, 3000]) {
      expect([...recording.events(after)].map(({ id }) => id)).toEqual(
        Array.from({ length: 3000 - after }, (_, index) => after + index + 1),
      )
    }
    expect(recording.dropped).toBe(0)
  })

  test('[F-E5] drops the oldest when its memory is full, and an event says how many', () => {
    const recording = createRecording({ maxBytes: 80_000 })
    for (let count = 0; count < 400; count++) recording.record(ofNoise(noise(1000, count)))
    const kept = [...recording.events()]
    const told = kept.filter((event) => event.type === 'dropped')
    expect(recording.dropped).toBeGreaterThan(200)
    expect(kept).toHaveLength(recording.lastId - recording.dropped)
    expect(kept[0]?.id).toBe(recording.dropped + 1)
    expect(kept.at(-1)?.id).toBe(recording.lastId)
    expect(told.length).toBeGreaterThan(0)
    expect(told.every(({ count }) => count > 0)).toBe(true)
    // As much as fits: three quarters of each text, and what is about it.
    expect(recording.ndjson().length).toBeLessThan(120_000)
    expect(recording.ndjson().length).toBeGreaterThan(60_000)
    // Each drop is told once: what was told and is dropped since counts as dropped as well.
    expect(recording.lastId - 400).toBeGreaterThanOrEqual(told.length)
  })

  test('[F-E5] keeps one event that is larger than all the memory, rather than none', () => {
    const recording = createRecording({ maxBytes: 1000 })
    recording.record(ofNoise(noise(5000, 1)))
    recording.record(ofNoise(noise(5000, 2)))
    expect([...recording.events()].map((event) => event.type === 'fault' && event.clientOrderId)).toContain(
      noise(5000, 2),
    )
  })

  test('tells who listens of each event, until they stop', () => {
    const recording = createRecording()
    const heard: unknown[] = []
    const stop = recording.subscribe(({ type }, id) => heard.push([type, id]))
    recording.record(moved(1))
    stop()
    recording.record(moved(2))
    expect(heard).toEqual([['clock', 1]])
  })

  test('[F-E2] makes an event at the end of the turn, or when somebody reads, at its place among the others', async () => {
    const recording = createRecording()
    const made: number[] = []
    const later = (byMs: number) =>
      recording.recordLater(() => {
        made.push(byMs)
        return moved(byMs)
      })
    expect([later(1), recording.record(moved(2)), later(3), made.length]).toEqual([1, 2, 3, 0])
    await new Promise(setImmediate)
    expect(made).toEqual([1, 3])
    expect(later(4)).toBe(4)
    expect([...recording.events()].map((event) => event.type === 'clock' && event.byMs)).toEqual([1, 2, 3, 4])
    const heard: number[] = []
    recording.subscribe(({ at }, id) => heard.push(at, id))
    later(5)
    expect(heard).toEqual([5, 5])
    expect(made).toEqual([1, 3, 4, 5])
  })

  test('[F-E5] tells an event that cannot be made as lost', () => {
    const recording = createRecording()
    recording.recordLater(() => {
      throw new Error('of a bank that answers what it must not')
    })
    recording.record(moved(7))
    expect([...recording.events()]).toMatchObject([
      { id: 1, type: 'dropped', count: 1 },
      { id: 2, type: 'clock' },
    ])
  })

  test('[F-E2] shows each event once to whoever reads while more are recorded', () => {
    const recording = createRecording({ maxBytes: 400_000 })
    const record = () => {
      for (let count = 0; count < 1000; count++) recording.record(ofNoise(`${count}`))
    }
    record()
    const ids: number[] = []
    for (const { id } of recording.events()) {
      if (id === 500) record()
      ids.push(id)
    }
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1))
  })

  test('[F-E6] is read from its text as it was, and written again as the same text', () => {
    const events = fc.array(
      fc.record({
        half: fc.constant('gateway'),
        type: fc.constant('page'),
        at: fc.integer(),
        method: fc.constant('GET'),
        page: fc.string({ unit: 'binary' }),
        form: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
        httpStatus: fc.integer(),
        milliseconds: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(events, fc.integer({ min: 200, max: 5000 }), (given, maxBytes) => {
        const recording = createRecording({ maxBytes: maxBytes * 100 })
        for (const event of given) recording.record(event as NewEvent)
        const text = recording.ndjson()
        const read = readRecording(text)
        expect(read).toEqual([...recording.events()])
        expect(read).toEqual(
          JSON.parse(JSON.stringify(given.map((event, index) => ({ ...event, version: 1, id: index + 1 })))),
        )
        expect(writeRecording(read)).toBe(text)
      }),
    )
  })

  test.for([
    ['no JSON', '{"version":1', 1],
    ['another version', '{"version":2,"id":1,"half":"gateway","type":"clock","at":1}', 1],
    ['no id', '{"version":1,"half":"gateway","type":"clock","at":1}', 1],
    ['an id again', '{"version":1,"id":1,"half":"gateway","type":"clock","at":1}\n'.repeat(2), 2],
    ['no half of ours', '{"version":1,"id":1,"half":"bank","type":"clock","at":1}', 1],
    ['no time', '{"version":1,"id":1,"half":"gateway","type":"clock"}', 1],
  ] as const)('[F-E6] with %s is not read, and the line is named', ([, text, line]) => {
    expect(() => readRecording(text)).toThrow(new RegExp(`^line ${line} `))
  })

  test('[F-E6] with a kind of event of a later release is read all the same', () => {
    const text = '{"version":1,"id":3,"half":"merchant","type":"later","at":1,"more":true}\n'
    expect(writeRecording(readRecording(text))).toBe(text)
  })
})
