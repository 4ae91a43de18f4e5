import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Parameter } from '../../src/index.ts'
import { type EncodedRequest, encodeByPlan, encodePlainly } from '../../src/oauth/encode-request.ts'
import { newPlan, noParts, noPlans, partsFor } from '../../src/oauth/parameter-plans.ts'
import { type Beginning, beginningFor, noBeginnings } from '../../src/oauth/request-beginnings.ts'
import { releaseScratch, type ScratchBuffer, takeScratch } from '../../src/oauth/scratch-buffer.ts'
import { anyPlainText, anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { textOf } from './base-string-text.ts'
import { timestamp } from './requests.ts'

function begin(url: string): Beginning {
  const beginning = beginningFor(noBeginnings(), 'POST', url)
  if (!beginning.ok) throw new Error(beginning.message)
  return beginning
}

const beginning = begin('https://a.example/')
const BEGINNING_TEXT = 'POST&https%3A%2F%2Fa.example%2F&'
const method = 'HMAC-SHA1'
const parts = partsFor(noParts(), { method, consumerKey: 'shop', timestamp })
const PROTOCOL =
  'oauth_consumer_key=shop&oauth_nonce=n&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1669966913&oauth_version=1.0'

/** An encoded request, with its base string as text. */
function read({ body, baseString }: EncodedRequest) {
  const text = textOf(baseString)
  releaseScratch(baseString)
  return { body, text }
}

function plainly(own: readonly Parameter[], nonce = 'n', ofSender = parts) {
  return read(encodePlainly(beginning, ofSender, nonce, own))
}

/** `undefined` if there is no plan, or if the plan leaves the request to the plain path. */
function byPlan(own: readonly Parameter[], nonce = 'n', ofSender = parts) {
  const plan = newPlan(noPlans(), own)
  const encoded = plan && encodeByPlan(beginning, ofSender, nonce, own, plan)
  return encoded && read(encoded)
}

const isOwn = (text: string) => !text.startsWith('oauth_')
const name = fc.oneof(
  anyText(6).filter(isOwn),
  fc.constantFrom(
    'a',
    'b',
    'a b',
    'A',
    '',
    '~',
    'é',
    'a-b',
    '__proto__',
    '\0',
    '\u0001',
    'oauth',
    'oauth-x',
    'p',
    'oauti',
  ),
  fc.string({ minLength: 20, maxLength: 80 }).filter((text) => text.isWellFormed() && isOwn(text)),
)
const value = fc.oneof(
  anyText(6),
  anyText(40),
  fc.string({ maxLength: 20 }).filter((text) => text.isWellFormed()),
  fc.constantFrom(
    '',
    '\0',
    'a\u0001b',
    '😀',
    "!'()*",
    'ÿþ',
    '%25',
    '4111111111111111',
    'abcdefg',
    'abcdefgh',
    'abcdefghi',
  ),
)

describe('encodeByPlan', () => {
  test('encodes any parameters as the plain path does, and leaves repeated names to it', () => {
    const nonce = anyPlainText(40).map((text) => `n${text}`)
    const sender = fc.tuple(anyPlainText(12), fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), nonce, sender, (own: Parameter[], fresh, [login, second]) => {
        const ofSender = partsFor(noParts(), { method, consumerKey: `s${login}`, timestamp: second })
        const isRepeated = new Set(own.map(([spelled]) => spelled)).size < own.length
        expect(byPlan(own, fresh, ofSender)).toEqual(isRepeated ? undefined : plainly(own, fresh, ofSender))
      }),
      { numRuns: 1000 },
    )
  })

  test('encodes values of every length up to 40 as the plain path does, with and without escapes', () => {
    for (const piece of ['a', ' ', 'a b', 'é', 'ab%', 'abc€', '😀']) {
      for (let length = 0; length <= 40; length++) {
        const own: Parameter[] = [['v', piece.repeat(40).slice(0, length)]]
        if (own[0]?.[1].isWellFormed()) expect(byPlan(own)).toEqual(plainly(own))
      }
    }
  })

  test('encodes each of the first 256 characters as the plain path does, in short and in long values', () => {
    for (let code = 0; code < 256; code++) {
      const character = String.fromCharCode(code)
      for (const text of [character, `a${character}`, `abcdefgh${character}`, `${character}abcdefgh`]) {
        expect(byPlan([['v', text]])).toEqual(plainly([['v', text]]))
      }
    }
  })

  test.for(['a\ud800', 'abcdefghij\udc00', '\udc00\ud800'])('refuses %j, which has no UTF-8 form', (text) => {
    expect(catchSigningError(() => byPlan([['a', text]])).code).toBe('BAD_TEXT')
  })

  test('refuses a value that is not a text', () => {
    const untyped = [['a', undefined]] as unknown as Parameter[]
    expect(catchSigningError(() => byPlan(untyped)).code).toBe('BAD_ARGUMENT')
  })

  test.for([
    ['a long value', [['a', 'b'.repeat(1100)]]],
    ['many values that are long together', Array.from({ length: 20 }, (_, at) => [`n${at}`, '€'.repeat(60)])],
    ['a long name', [['n'.repeat(17_000), '']]],
    [
      'two values that do not fit into the bytes together',
      [
        ['a', '€'.repeat(600)],
        ['b', '€'.repeat(600)],
      ],
    ],
  ] as const)('leaves %s to the plain path', ([, own]) => {
    for (let lent = 0; lent < 2; lent++) takeScratch(0)
    expect(byPlan(own as readonly Parameter[])).toBeUndefined()
  })

  test('leaves a request to the plain path from the first length for which there is no room', () => {
    const fitted: boolean[] = []
    for (let length = 15_900; length < 16_200; length++) {
      // With both stored buffers lent, the next one is as small as can be.
      for (let lent = 0; lent < 2; lent++) takeScratch(0)
      const own: Parameter[] = [['n'.repeat(length), '']]
      const encoded = byPlan(own)
      fitted.push(encoded !== undefined)
      if (encoded !== undefined) expect(encoded).toEqual(plainly(own))
    }
    const tooLong = fitted.indexOf(false)
    expect(tooLong).toBeGreaterThan(0)
    expect(fitted.slice(tooLong)).not.toContain(true)
  })

  test('encodes as the plain path does when values nearly fill the room', () => {
    for (let lent = 0; lent < 2; lent++) takeScratch(0)
    // One long value and many short ones, of the character that becomes the most bytes.
    for (const [count, length] of [
      [1, 1050],
      [15, 60],
      [64, 12],
    ] as const) {
      const own = Array.from({ length: count }, (_, at): Parameter => [`n${at}`, '€'.repeat(length)])
      expect(byPlan(own)).toEqual(plainly(own))
    }
  })
})

/** Fills the buffers of both loans with other bytes. */
function fillLoans(): void {
  const lent: ScratchBuffer[] = [takeScratch(0), takeScratch(0)]
  for (const { bytes } of lent) bytes.fill('A')
  for (const each of lent) releaseScratch(each)
}

test('neither path mistakes old bytes behind the text for a part of it', () => {
  for (const text of ['1', '123456789', '1234567890+']) {
    const own: Parameter[] = [['a', text]]
    const sent = text.replace('+', '%2B')
    const body = `a=${sent}&${PROTOCOL}`
    const right = { body, text: BEGINNING_TEXT + encodeURIComponent(body) }
    for (const encode of [byPlan, plainly]) {
      fillLoans()
      expect(encode(own)).toEqual(right)
    }
  }
})

test('encodePlainly counts a query for the signature and not for the body', () => {
  const encoded = read(encodePlainly(begin('https://a.example/?b=1'), parts, 'n', [['a', '2']]))
  expect(encoded.body).toBe(`a=2&${PROTOCOL}`)
  expect(encoded.text).toBe(BEGINNING_TEXT + encodeURIComponent(`a=2&b=1&${PROTOCOL}`))
})
