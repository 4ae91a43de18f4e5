import { Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { readReturn } from '../../src/three-ds/read-return.ts'
import { readState, type StepState, writeState } from '../../src/three-ds/state.ts'

const stateOf = (step: StepState['step']): StepState => ({ step, clientOrderId: 'a', orderId: '1', mark: 'm' })
const read = (step: StepState['step'], body: string, method = 'POST') =>
  readReturn({ method, query: method === 'GET' ? body : '', body }, () => stateOf(step))

describe('The return of a browser', () => {
  test.each([
    ['challenge', 'cres=x', 'challenge'],
    ['pareq', 'PaRes=x&MD=y', 'pareq'],
    ['method', 'methodCompletion=Y', 'method'],
    ['method', 'threeDSMethodData=x', 'frame'],
  ] as const)('from a %s with %s is a %s', (step, body, what) => {
    expect(read(step, body)?.what).toBe(what)
  })

  test.each([
    ['challenge', 'pares=x'],
    ['challenge', 'methodCompletion=Y'],
    ['pareq', 'cres=x'],
    ['pareq', 'threeDSMethodData=x'],
    ['method', 'cres=x'],
    ['method', 'pares=x'],
    ['challenge', 'other=x'],
  ] as const)('from a %s with other fields is nothing by POST, and a repeated visit by GET: %s', (step, body) => {
    expect(read(step, body)).toBeUndefined()
    expect(read(step, body, 'GET')?.what).toBe('again')
  })
})

describe('The state of a step', () => {
  const key = new Secret('a control key')
  const text = writeState(stateOf('pareq'), key)

  test('is read by one of the keys, and by no other', () => {
    expect(readState(text, [new Secret('another'), key])).toEqual(stateOf('pareq'))
    expect(readState(text, [new Secret('another')])).toBeUndefined()
    expect(readState(text, [])).toBeUndefined()
  })

  test.each([
    ['nothing', ''],
    ['a signature alone', text.slice(-43)],
    ['longer in bytes than in characters', `${text.slice(0, -1)}é`],
    ['endless', `${'A'.repeat(1024)}${text}`],
  ])('is refused: %s', (_what, changed) => {
    expect(readState(changed, [key])).toBeUndefined()
  })
})
