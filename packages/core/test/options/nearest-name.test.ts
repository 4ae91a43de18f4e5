import { expect, test } from 'vitest'
import { nearestName, suggestName } from '../../src/internal.ts'

const KNOWN = ['timeoutMs', 'deadlineMs', 'onOutcome', 'log', 'file']

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
  expect(nearestName(written, KNOWN)).toBe(meant)
})

test('the nearest name is the first, if several are equally near', () => {
  expect(nearestName('cat', ['bat', 'car', 'cut'])).toBe('bat')
})

test('there is no nearest name, if no name is known', () => {
  expect(nearestName('file', [])).toBeUndefined()
})

test('a message suggests it, or lists all names', () => {
  expect(suggestName('timeout', KNOWN)).toBe('did you mean timeoutMs?')
  expect(suggestName('merchants', KNOWN)).toBe('there are timeoutMs, deadlineMs, onOutcome, log, file')
})
