import { MalformedFormError, type Pair, parseForm, serializeForm } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainPairs, scanForm } from '../../src/codec/form.ts'

const MOST = 6

/** Texts that are nearly forms: every character with a meaning, whole and cut escapes, characters beyond ASCII. */
const marks = ['&', '=', '+', '%', '%20', '%26', '%3d', '%C3%BC', '%c3', '%zz', '%4', 'a', 'B1', 'x.y', '\n', 'é', '']
const texts = fc.array(fc.constantFrom(...marks), { maxLength: 24 }).map((parts) => parts.join(''))

/** The pairs, or the words of the refusal. */
function outcome(read: () => readonly Pair[] | undefined): readonly Pair[] | string | undefined {
  try {
    return read()
  } catch (error) {
    return error instanceof MalformedFormError ? `${error.reason}: ${error.message}` : String(error)
  }
}

describe('scanForm', () => {
  test('[S4-04] reads what the plain reader reads, or nothing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const scanned = scanForm(text, MOST)
        if (scanned !== undefined) expect(scanned).toEqual(outcome(() => plainPairs(text, MOST)))
      }),
      { numRuns: 5000 },
    )
  })

  test('a form is read, or refused in the same words, with it and without it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(() => parseForm(text, { maxPairs: MOST, maxBytes: 1000 }))).toEqual(
          outcome(() => plainPairs(text, MOST)),
        )
      }),
      { numRuns: 5000 },
    )
  })

  test.each<readonly [text: string, pairs: readonly Pair[]]>([
    ['', []],
    ['a=1', [['a', '1']]],
    [
      'a=1&b=&',
      [
        ['a', '1'],
        ['b', ''],
      ],
    ],
    [
      'a=x+y&b=z&c=1%2B1',
      [
        ['a', 'x y'],
        ['b', 'z'],
        ['c', '1+1'],
      ],
    ],
    ['a%5B+1%5d==%7E', [['a[ 1]', '=~']]],
    ['city=Z%C3%BCrich%21', [['city', 'Zürich!']]],
    ['a=%00%7f', [['a', '\0\u007f']]],
  ])('reads %j itself', (text, pairs) => expect(scanForm(text, 3)).toEqual(pairs))

  test.each([
    'a',
    '=1',
    '&a=1',
    'a=1&&b=2',
    'a=1&b',
    'a=1&=2',
    'b&a=1',
    'a=é',
    'a=%',
    'a=%E9',
    '%=1',
    'a=1&b=2&c=3&d=4',
  ])('leaves %j to the plain reading', (text) => expect(scanForm(text, 3)).toBeUndefined())

  test('reads every form that the library writes', () => {
    const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 10 })
    const pairs = fc.array(fc.tuple(names, fc.string({ unit: 'binary', maxLength: 30 })), { maxLength: 20 })
    fc.assert(
      fc.property(pairs, (sent) => {
        expect(scanForm(serializeForm(sent), 20)).toEqual(sent)
      }),
      { numRuns: 500 },
    )
  })

  test('takes linear time for a text without `=`, and for one that is full of escapes', () => {
    expect(scanForm('a&'.repeat(200_000), 500_000)).toBeUndefined()
    expect(scanForm(`a=${'%41'.repeat(200_000)}`, 1)).toEqual([['a', 'A'.repeat(200_000)]])
    expect(scanForm(`a=${'+'.repeat(200_000)}`, 1)).toEqual([['a', ' '.repeat(200_000)]])
  }, 5000)
})
