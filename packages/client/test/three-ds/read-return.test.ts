import { Secret } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { readReturn } from '../../src/three-ds/read-return.ts'
import { readState, type StepState, writeState } from '../../src/three-ds/steps.ts'

const stateOf = (step: StepState['step']): StepState => ({ step, clientOrderId: 'a', orderId: '1', mark: 'm' })
const read = (step: StepState['step'], body: string, method = 'POST') =>
  readReturn(
    { method, query: method === 'GET' ? body : '', body },
    { open: () => stateOf(step), find: () => undefined },
  )

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
  ] as const)('from a %s with other fields has no result by POST, and is a repeated visit by GET: %s', (step, body) => {
    expect(read(step, body)?.what).toBe('no-result')
    expect(read(step, body, 'GET')?.what).toBe('again')
  })
})

test.each([
  ['as it was sent', 'eJxV+abc/def==', 'eJxV+abc/def=='],
  ['encoded by a browser', encodeURIComponent('eJxV+abc/def=='), 'eJxV+abc/def=='],
  ['encoded twice', encodeURIComponent(encodeURIComponent('eJxV+abc/def==')), 'eJxV+abc/def=='],
  ['with plus signs in a row', 'eJxV++ab', 'eJxV++ab'],
  [
    'wrapped after 64 columns',
    `${'A'.repeat(64)}%0D%0A${'B'.repeat(64)}%0D%0ACC==%0D%0A`,
    `${'A'.repeat(64)}${'B'.repeat(64)}CC==`,
  ],
  [
    'wrapped after 76 columns, by spaces',
    `${'A'.repeat(76)}+${'B'.repeat(76)}+CC==`,
    `${'A'.repeat(76)}${'B'.repeat(76)}CC==`,
  ],
  ['with a fold', 'eJxV%0D%0A++abc%09', 'eJxVabc'],
  ['with spaces around it', '+eJxVabc+', 'eJxVabc'],
  ['empty', '', ''],
])(
  '[F-A8] a plus sign in a PaRes or CRes is read as it was sent, and folds are left out, if it comes %s',
  (_how, sent, message) => {
    expect(read('pareq', `PaRes=${sent}&MD=M%2BD+1`)).toMatchObject({ paRes: message, md: 'M+D+1' })
    expect(read('challenge', `cRes=${sent}`)).toMatchObject({ cRes: message })
    const parsed = { method: 'POST', query: '', body: Object.fromEntries(new URLSearchParams(`cres=${sent}`)) }
    expect(readReturn(parsed, { open: () => stateOf('challenge'), find: () => undefined })).toMatchObject({
      cRes: message,
    })
  },
)

test.each(['cres=&CRes=eyJ0cmFuc1N0YXR1cyI6IlkifQ', 'CRes=eyJ0cmFuc1N0YXR1cyI6IlkifQ&cres='])(
  '[F-A7] a result that comes twice, once empty, is the other: %s',
  (body) => {
    const inbound = { method: 'POST', query: '', body }
    expect(readReturn(inbound, { open: () => stateOf('challenge'), find: () => undefined })).toMatchObject({
      cRes: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ',
    })
  },
)

describe('The state of a step', () => {
  const key = new Secret('a control key')
  const text = writeState(stateOf('pareq'), key)

  test('is read by one of the keys, and by no other', () => {
    expect(readState(text, [new Secret('another'), key])).toEqual(stateOf('pareq'))
    expect(readState(text, [new Secret('another')])).toBeUndefined()
    expect(readState(text, [])).toBeUndefined()
  })

  test.each([
    ['padded', `${text}==`],
    ['wrapped', text.replace(/.{64}/g, '$&\r\n')],
    ['wrapped by spaces', text.replace(/.{76}/g, '$& ')],
    ['in capitals', text.toUpperCase()],
    ['between spaces', ` ${text} `],
    ['encoded once more', `${text}%3D%0A`],
  ])('[F-A6] is read if it comes back %s', (_how, changed) =>
    expect(readState(changed, [key])).toEqual(stateOf('pareq')),
  )

  test('has room in the session data of EMV 3-D Secure, and is read, whatever the length of the ids', () => {
    const long = { ...stateOf('challenge'), clientOrderId: 'ü'.repeat(128), orderId: '1'.repeat(20) }
    expect(writeState(long, key).length).toBeLessThanOrEqual(1024)
    expect(readState(writeState(long, key), [key])).toEqual(long)
  })

  test.each([
    ['nothing', ''],
    ['a signature alone', text.slice(-64)],
    ['longer in bytes than in characters', `${text.slice(0, -1)}é`],
    ['endless', `${'A'.repeat(1024)}${text}`],
  ])('is refused: %s', (_what, changed) => {
    expect(readState(changed, [key])).toBeUndefined()
  })
})
