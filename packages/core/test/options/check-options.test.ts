import { describe, expect, test } from 'vitest'
import { checkOptions, nearestName, suggestName, type Validators, validator } from '../../src/internal.ts'

interface Options {
  readonly file: string
  readonly timeoutMs?: number
  readonly onError?: () => void
}

const KINDS: Validators<Options> = {
  file: validator.required(validator.text),
  timeoutMs: validator.count,
  onError: validator.function,
}

const check = (options: unknown) => () => checkOptions('createStore', options, KINDS)
const KNOWN = 'there are file, timeoutMs, onError'

describe('a wrong option is a TypeError that names it', () => {
  test.each<readonly [what: string, options: unknown, message: string]>([
    ['no object', undefined, 'createStore: the options must be an object, { file, timeoutMs, onError }'],
    ['null', null, 'createStore: the options must be an object, { file, timeoutMs, onError }'],
    ['a text', 'store.db', 'createStore: the options must be an object, { file, timeoutMs, onError }'],
    ['a list', [], 'createStore: the options must be an object, { file, timeoutMs, onError }'],
    ['a function', () => {}, 'createStore: the options must be an object, { file, timeoutMs, onError }'],
    [
      'a promise of options',
      Promise.resolve({ file: 'a' }),
      'createStore: the options must be an object, { file, timeoutMs, onError }',
    ],
    [
      'the signal itself',
      new AbortController().signal,
      'createStore: the options must be an object, { file, timeoutMs, onError }',
    ],
    ['a map', new Map([['file', 'a']]), 'createStore: the options must be an object, { file, timeoutMs, onError }'],
    ['a slip', { timeout: 5 }, 'createStore: there is no option timeout; did you mean timeoutMs?'],
    ['other capitals', { onerror: () => {} }, 'createStore: there is no option onerror; did you mean onError?'],
    ['nothing like it', { retries: 3 }, `createStore: there is no option retries; ${KNOWN}`],
    ['one that is nothing yet', { retries: undefined }, `createStore: there is no option retries; ${KNOWN}`],
    ['what every object has', { toString: () => 'x' }, `createStore: there is no option toString; ${KNOWN}`],
    ['one that is required, left out', {}, 'createStore: file must be given: a text'],
    ['one that is required, undefined', { file: undefined }, 'createStore: file must be given: a text'],
    ['one that is required, null', { file: null }, 'createStore: file must be a text'],
    ['one of a wrong kind', { file: 'a', timeoutMs: '5' }, 'createStore: timeoutMs must be a whole number from 1 on'],
  ])('%s', (_what, options, message) => {
    expect(check(options)).toThrow(new TypeError(message))
  })

  test('and never quotes the value, which may be a key', () => {
    const key = 'D5F82EC1-8575-4482-AD89-97X6X0X20X22'
    const problems = [check(key), check({ file: { key } }), check({ file: 'a', timeoutMs: key })].map(messageOf)
    expect(problems).toEqual([
      'createStore: the options must be an object, { file, timeoutMs, onError }',
      'createStore: file must be a text',
      'createStore: timeoutMs must be a whole number from 1 on',
    ])
  })
})

test('a card number in place of a name is masked', () => {
  expect(check({ '4444555566661111': 1 })).toThrow('createStore: there is no option 444455******1111; there are file')
})

describe('right options are accepted', () => {
  test.each<readonly [what: string, options: object]>([
    ['all of them', { file: 'a', timeoutMs: 5, onError: () => {} }],
    ['those that are required', { file: 'a' }],
    ['others undefined', { file: 'a', timeoutMs: undefined, onError: undefined }],
    [
      'of a class',
      new (class Given {
        readonly file = 'a'
      })(),
    ],
    ['without a prototype', Object.assign(Object.create(null), { file: 'a' })],
  ])('%s', (_what, options) => {
    expect(check(options)).not.toThrow()
  })
})

function messageOf(throwing: () => void): string {
  try {
    throwing()
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error)
  }
  return 'none'
}

const NAMES = ['timeoutMs', 'deadlineMs', 'onOutcome', 'log', 'file']

test.each<readonly [what: string, written: string, meant: string | undefined]>([
  ['the name itself', 'timeoutMs', 'timeoutMs'],
  ['other capitals', 'TIMEOUTms', 'timeoutMs'],
  ['a letter missing', 'onOutcom', 'onOutcome'],
  ['a letter too many', 'timeoutMss', 'timeoutMs'],
  ['a letter wrong', 'fila', 'file'],
  ['two letters swapped, which are two slips', 'flie', 'file'],
  ['two letters missing at the end', 'timeout', 'timeoutMs'],
  ['three slips', 'daedlineM', 'deadlineMs'],
  ['four slips', 'daedline', undefined],
  ['as many slips as half of its letters', 'lo', 'log'],
  ['more slips than half of its letters', 'l', undefined],
  ['nothing alike', 'merchants', undefined],
  ['no letters', '', undefined],
])('%s: %s', (_what, written, meant) => {
  expect(nearestName(written, NAMES)).toBe(meant)
})

test('the nearest name is the first, if several are equally near', () => {
  expect(nearestName('cat', ['bat', 'car', 'cut'])).toBe('bat')
})

test('there is no nearest name, if no name is known', () => {
  expect(nearestName('file', [])).toBeUndefined()
})

test('a message suggests it, or lists all names', () => {
  expect(suggestName('timeout', NAMES)).toBe('did you mean timeoutMs?')
  expect(suggestName('merchants', NAMES)).toBe('there are timeoutMs, deadlineMs, onOutcome, log, file')
})
