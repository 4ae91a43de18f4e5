import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeParameters, normalizeParameters, percentEncode } from '../../src/index.ts'
import { anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'

describe('normalizeParameters', () => {
  test('[S5.2-21] [S5.2-22] [S5.2-23] makes the parameter string of RFC 5849 section 3.4.1.3.2', () => {
    const parameters = [
      ['b5', '=%3D'],
      ['a3', 'a'],
      ['c@', ''],
      ['a2', 'r b'],
      ['oauth_consumer_key', '9djdj82h48djs9d2'],
      ['oauth_token', 'kkk9d7dh3k39sjv7'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '137131201'],
      ['oauth_nonce', '7d8f3e4a'],
      ['c2', ''],
      ['a3', '2 q'],
    ] as const
    expect(normalizeParameters(parameters)).toBe(
      'a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=&oauth_consumer_key=9dj' +
        'dj82h48djs9d2&oauth_nonce=7d8f3e4a&oauth_signature_method=HMAC-SHA1' +
        '&oauth_timestamp=137131201&oauth_token=kkk9d7dh3k39sjv7',
    )
  })

  test('[G7.2-05] sorts one name by value, as text', () => {
    const parameters = [
      ['f', 'a'],
      ['f', '50'],
      ['f', '25'],
    ] as const
    expect(normalizeParameters(parameters)).toBe('f=25&f=50&f=a')
  })

  test('[S5.2-22] sorts names before it joins them, so that a hyphen does not come before the equals sign', () => {
    const parameters = [
      ['a-b', '1'],
      ['a', '2'],
      ['a.b', '3'],
    ] as const
    expect(normalizeParameters(parameters)).toBe('a=2&a-b=1&a.b=3')
  })

  test('[S5.2-22] sorts by encoded bytes: upper case before lower, an escape before both, no locale', () => {
    const names = ['a', 'B', 'é', 'z', '_', '~', '1', '\u{1f600}', '\uffff']
    const parameters = names.map((name) => [name, ''] as const)
    expect(normalizeParameters(parameters)).toBe('%C3%A9=&%EF%BF%BF=&%F0%9F%98%80=&1=&B=&_=&a=&z=&~=')
  })

  test('[G7.2-05] keeps repetitions, equal ones too', () => {
    expect(
      normalizeParameters([
        ['a', '1'],
        ['a', '1'],
      ]),
    ).toBe('a=1&a=1')
  })

  test('[G2.4-03] keeps an empty value as name=', () => {
    expect(normalizeParameters([['empty', '']])).toBe('empty=')
  })

  test('is empty for no parameters', () => {
    expect(normalizeParameters([])).toBe('')
  })

  test('leaves its argument as it was', () => {
    const parameters = Object.freeze([
      ['b', '1'],
      ['a', '2'],
    ] as const)
    expect(normalizeParameters(parameters)).toBe('a=2&b=1')
    expect(parameters[0]).toEqual(['b', '1'])
  })

  test('[S5.2-22] is the same for any order of its parameters, and sorted as bytes are', () => {
    const text = anyText(3)
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (parameters) => {
        const normal = normalizeParameters(parameters)
        expect(normalizeParameters(parameters.toReversed())).toBe(normal)
        const byBytes = parameters
          .map(([name, value]) => [Buffer.from(percentEncode(name)), Buffer.from(percentEncode(value))] as const)
          .sort(([nameA, valueA], [nameB, valueB]) => Buffer.compare(nameA, nameB) || Buffer.compare(valueA, valueB))
        expect(normal).toBe(byBytes.map(([name, value]) => `${String(name)}=${String(value)}`).join('&'))
      }),
    )
  })
})

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
