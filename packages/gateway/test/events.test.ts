import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { listeners } from '../src/events.ts'
import type { GatewayOptions } from '../src/index.ts'

const full = new Error('the log is full')
const answered = { serialNumber: 'serial-1' } as Parameters<NonNullable<GatewayOptions['onAnswer']>>[0]
const called = {} as Parameters<NonNullable<GatewayOptions['onCallback']>>[0]

describe.for([
  [
    'throws',
    () => {
      throw full
    },
  ],
  ['is async, and throws', () => Promise.reject(full)],
  ['is async, of another realm, and throws', runInNewContext('async () => { throw full }', { full }) as () => unknown],
] as const)('a listener that %s', ([, throwing]) => {
  const listener = throwing as () => void

  test('is reported with the request, where it heard of an answer or a callback', async () => {
    const heard: unknown[] = []
    const onError = (...failure: unknown[]) => void heard.push(failure)
    const { onAnswer, onCallback } = listeners({ onAnswer: listener, onCallback: listener, onError })
    onAnswer(answered)
    onCallback(called)
    await expect
      .poll(() => heard)
      .toEqual([
        [full, 'serial-1'],
        [full, undefined],
      ])
  })

  // An unhandled rejection would end the process, and fail these tests.
  test('is heard by nobody, where it heard of a failure', () => {
    expect(() => listeners({ onError: listener }).onError(new Error('no disk'), 'serial-1')).not.toThrow()
  })
})
