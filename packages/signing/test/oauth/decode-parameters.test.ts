import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeParameters, normalizeParameters } from '../../src/index.ts'
import { anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'

describe('decodeParameters', () => {
  test('decodes the query of RFC 5849 section 3.4.1.1', () => {
    expect(decodeParameters('b5=%3D%253D&a3=a&c%40=&a2=r%20b')).toEqual([
      ['b5', '=%3D'],
      ['a3', 'a'],
      ['c@', ''],
      ['a2', 'r b'],
    ])
  })

  test('decodes the body of RFC 5849 section 3.4.1.1', () => {
    expect(decodeParameters('c2&a3=2+q')).toEqual([
      ['c2', ''],
      ['a3', '2 q'],
    ])
  })

  test.for([
    ['', []],
    ['&&', []],
    [
      'a=1&&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1&a=1',
      [
        ['a', '1'],
        ['a', '1'],
      ],
    ],
    ['=v', [['', 'v']]],
    ['=', [['', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a=%2B', [['a', '+']]],
    ['a+b=c', [['a b', 'c']]],
    ['%C3%A9=%F0%9F%98%80', [['é', '😀']]],
    ['a=%c3%a9', [['a', 'é']]],
    ['a=%2525', [['a', '%25']]],
  ] as const)('decodes %j once', ([text, parameters]) => {
    expect(decodeParameters(text)).toEqual(parameters)
  })

  test.for([
    'a=%',
    'a=%4',
    'a=%zz',
    '%=a',
    'a=%C3',
    'a=%C0%AF',
    'a=%ED%A0%80',
    'a=%FF',
    'a=é',
    'a= b',
    'a=b\n',
    'a\0=b',
  ])('refuses %j', (text) => {
    expect(catchSigningError(() => decodeParameters(text)).code).toBe('BAD_TEXT')
  })

  test('refuses what is not a text', () => {
    expect(catchSigningError(() => decodeParameters(undefined as unknown as string)).code).toBe('BAD_TEXT')
  })

  test('reads back every normalised parameter string, in sorted order', () => {
    const text = anyText()
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (parameters) => {
        const read = decodeParameters(normalizeParameters(parameters))
        expect(normalizeParameters(read)).toBe(normalizeParameters(parameters))
        expect(read).toHaveLength(parameters.length)
      }),
    )
  })
})
