import { MalformedFormError, type Pair, parseForm, serializeForm } from '@tallystick/core'
import { REQUEST_LIMITS, singleValues } from '@tallystick/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainPairs, scanForm } from '../../src/codec/form.ts'
import { decodeAscii, percentDecode, percentEncode } from '../../src/codec/percent.ts'

const unicode = fc.string({ unit: 'binary', maxLength: 30 })
const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 10 })
const pairs = fc.array(fc.tuple(names, unicode), { maxLength: 20 })

function reasonOf(read: () => unknown): string {
  try {
    read()
    return 'read'
  } catch (error) {
    return error instanceof MalformedFormError ? error.reason : 'another error'
  }
}

describe('parseForm', () => {
  test.each<readonly [text: string, pairs: readonly Pair[]]>([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'b=2&a=1&b=3',
      [
        ['b', '2'],
        ['a', '1'],
        ['b', '3'],
      ],
    ],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    [
      '&a=1&&b=2&',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a=x+y%20z%2B', [['a', 'x y z+']]],
    ['%E2%82%AC=%F0%9F%98%80', [['€', '😀']]],
    [
      'a=1\n&b=2\n',
      [
        ['a', '1\n'],
        ['b', '2\n'],
      ],
    ],
    ['a=%00', [['a', '\0']]],
  ])('[S4-04] reads %j in order', (text, expected) => expect(parseForm(text)).toEqual(expected))

  test.each([
    ['too-large', `a=${'x'.repeat(65_535)}`],
    ['too-many-pairs', Array.from({ length: 201 }, (_, index) => `f${index}=`).join('&')],
    ['empty-name', '=1'],
    ['empty-name', 'a=1&=2'],
    ['not-ascii', 'a=é'],
    ['not-ascii', '\uFEFFa=1'],
    ['invalid-percent', 'a=%'],
    ['invalid-percent', 'a=%4'],
    ['invalid-percent', 'a=%zz'],
    ['invalid-percent', '%=1'],
    ['invalid-percent', 'a=%E9'],
    ['invalid-percent', 'a=%C0%80'],
    ['invalid-percent', 'a=%ED%A0%80'],
  ])('refuses with %s', (reason, text) => expect(reasonOf(() => parseForm(text))).toBe(reason))

  test.each([
    ['a=1&b=2', 'The form is larger than 6 bytes; send less.', { maxPairs: 9, maxBytes: 6 }],
    ['a=1&b=2', 'The form has more than 1 pairs; send fewer.', { maxPairs: 1, maxBytes: 99 }],
    ['=1', 'The form has a value without a name; name it.', REQUEST_LIMITS],
    [
      'zip=1&card_printed_name=José',
      'The form holds raw characters beyond ASCII in card_printed_name; percent-encode them as UTF-8.',
      REQUEST_LIMITS,
    ],
    ['é', 'The form holds raw characters beyond ASCII; percent-encode them as UTF-8.', REQUEST_LIMITS],
    [
      'address1=Caf%E9',
      'The form has a percent escape in address1 that is cut or not UTF-8; encode it again.',
      REQUEST_LIMITS,
    ],
    ['a%E9=1', 'The form has a percent escape that is cut or not UTF-8; encode it again.', REQUEST_LIMITS],
  ])('refuses %j and says what to do: %s', (text, message, limits) => {
    expect(() => parseForm(text, limits)).toThrow(message)
  })

  test('counts the pairs of a form with a bare name like those of any other', () => {
    expect(parseForm('a=1&b&c=3', { maxPairs: 3, maxBytes: 99 })).toHaveLength(3)
    expect(reasonOf(() => parseForm('a=1&b&c=3', { maxPairs: 2, maxBytes: 99 }))).toBe('too-many-pairs')
  })

  test('[G13-07] accepts 200 pairs and 64 KiB, and not one more', () => {
    expect(REQUEST_LIMITS).toEqual({ maxPairs: 200, maxBytes: 65_536 })
    expect(parseForm(Array.from({ length: 200 }, (_, index) => `f${index}=`).join('&'))).toHaveLength(200)
    expect(parseForm(`a=${'x'.repeat(65_534)}`)).toHaveLength(1)
  })

  test('loses no pair that follows empty ones', () => {
    expect(parseForm(`${'&'.repeat(500)}a=1`)).toEqual([['a', '1']])
  })

  test('accepts other limits', () => {
    expect(reasonOf(() => parseForm('a=1&b=2', { maxPairs: 1, maxBytes: 100 }))).toBe('too-many-pairs')
    expect(reasonOf(() => parseForm('a=1', { maxPairs: 1, maxBytes: 2 }))).toBe('too-large')
  })

  test('never quotes what was sent', () => {
    const numbers = ['a=4444333322221111%', 'a=4444333322221111é', '=4444333322221111']
    const names = ['4444333322221111=%', 'n4444333322221111=é', 'a-4444-333322221111=%']
    for (const text of [...numbers, ...names]) {
      expect(() => parseForm(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('4444') }))
    }
  })

  test('reads or refuses, whatever the text', () => {
    const texts = fc.oneof(unicode, fc.stringMatching(/^[a-f0-9%&=+]*$/))
    fc.assert(
      fc.property(texts, (text) => {
        expect(reasonOf(() => parseForm(text))).not.toBe('another error')
      }),
      { numRuns: 2000 },
    )
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('takes the name %s like any other', (name) => {
    const [pair] = parseForm(`${name}=1`)
    expect(pair).toEqual([name, '1'])
    expect(singleValues(parseForm(`${name}=1`)).get(name)).toBe('1')
    expect({}).not.toHaveProperty('1')
  })
})

describe('serializeForm', () => {
  test('[G2.4-01] `&`, `+` and `"` arrive unchanged', () => {
    expect(serializeForm([['order_desc', 'Tea & "biscuits" + milk']])).toBe(
      'order_desc=Tea%20%26%20%22biscuits%22%20%2B%20milk',
    )
  })

  test("[G7.2-03] ! ' ( ) * are percent-encoded too, letters, digits and -._~ are not", () => {
    expect(serializeForm([["!'()*", '-._~aZ09']])).toBe('%21%27%28%29%2A=-._~aZ09')
  })

  test('[S4-04] writes long texts, and control characters that no text has, like any others', () => {
    const long = 'ü!'.repeat(9000)
    const pairs: readonly Pair[] = [
      ['a', long],
      ['b\x1e', 'c\x1f d'],
    ]
    expect(serializeForm(pairs)).toBe(`a=${'%C3%BC%21'.repeat(9000)}&b%1E=c%1F%20d`)
    expect(serializeForm(pairs.slice(1))).toBe('b%1E=c%1F%20d')
  })

  test('writes a blank value as `name=`', () => {
    expect(
      serializeForm([
        ['a', ''],
        ['b', '1'],
      ]),
    ).toBe('a=&b=1')
  })

  test('[S4-04] what is written is read back, whatever the pairs', () => {
    fc.assert(
      fc.property(pairs, (sent) => {
        expect(parseForm(serializeForm(sent))).toEqual(sent)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('percentEncode', () => {
  test('is undone by the built-in function, whatever the text', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        expect(percentEncode(text)).toMatch(/^(?:[\w.~-]|%[0-9A-F]{2})*$/)
        expect(decodeURIComponent(percentEncode(text))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('escapes every ASCII character but letters, digits and -._~', () => {
    const all = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code))
    const left = percentEncode(all).replace(/%[0-9A-F]{2}/g, '')
    expect(left).toBe('-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~')
    expect(percentEncode('\n')).toBe('%0A')
  })

  test('refuses half of a surrogate pair', () => expect(() => percentEncode('a\ud800')).toThrow(URIError))
})

describe('percentDecode', () => {
  const outcome = (read: () => string) => {
    try {
      return read()
    } catch (error) {
      return error instanceof URIError ? 'URIError' : 'another error'
    }
  }

  test('is the built-in function, whatever the text', () => {
    const parts = [
      '%',
      '%2',
      '%2f',
      '%7E',
      '%7f',
      '%80',
      '%C3%BC',
      '%F0%9F%98%80',
      '%fg',
      '%+1',
      'a',
      'é',
      '😀',
      '\ud800',
    ]
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((some) => some.join(''))
    fc.assert(
      fc.property(fc.oneof(texts, unicode), (text) => {
        expect(outcome(() => percentDecode(text))).toBe(outcome(() => decodeURIComponent(text)))
      }),
      { numRuns: 3000 },
    )
  })

  test('reads the escape of every ASCII character itself, in upper or lower case', () => {
    for (let code = 0; code < 128; code++) {
      const hex = code.toString(16).padStart(2, '0')
      expect(decodeAscii(`a%${hex}b%${hex.toUpperCase()}`)).toBe(
        `a${String.fromCharCode(code)}b${String.fromCharCode(code)}`,
      )
    }
  })
})

describe('decodeAscii', () => {
  test.each(['%80', '%C3%BC', '%', '%2', '%/0', '%:0', '%0@', '%0G', '%0`', '%0g', '%G0', '%0/', '%0:'])(
    'leaves %j to the built-in function',
    (text) => {
      expect(decodeAscii(text)).toBeUndefined()
      expect(decodeAscii(`a%41${text}`)).toBeUndefined()
    },
  )

  test.each([
    ['', ''],
    ['a', 'a'],
    ['%0a', '\n'],
    ['%7F', '\u007f'],
    ['x%39y', 'x9y'],
  ])('reads %j itself', (text, expected) => expect(decodeAscii(text)).toBe(expected))
})

describe('singleValues', () => {
  test('keeps each name once', () => {
    expect([
      ...singleValues([
        ['a', '1'],
        ['b', '2'],
      ]),
    ]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  test('refuses a name that comes twice, even with the same value', () => {
    const twice: readonly Pair[] = [
      ['a', '1'],
      ['a', '1'],
    ]
    expect(reasonOf(() => singleValues(twice))).toBe('repeated-name')
    expect(() => singleValues(twice)).toThrow('The form names the field a twice; send each field once.')
  })

  test('names the field that comes twice, but no card number in its place', () => {
    const twice = (name: string): readonly Pair[] => [
      ['amount', '1'],
      [name, '1'],
      ['zip', '1'],
      [name, '2'],
    ]
    expect(() => singleValues(twice('currency'))).toThrow(
      'The form names the field currency twice; send each field once.',
    )
    expect(() => singleValues(twice('4444333322221111'))).toThrow('The form names a field twice; send each field once.')
  })
})

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
