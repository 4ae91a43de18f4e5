import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Parameter } from '../../src/index.ts'
import { type EncodedRequest, encodeByPlan, encodePlainly } from '../../src/oauth/encode-request.ts'
import { lendBytes, returnBytes } from '../../src/oauth/lent-bytes.ts'
import { newPlan, noPlans } from '../../src/oauth/parameter-plans.ts'
import { anyText } from '../any-text.ts'
import { textOf } from './base-string-text.ts'

const beginning = Buffer.from('POST&https%3A%2F%2Fa.example%2F&')
const name = fc.oneof(
  anyText(6),
  fc.constantFrom('a', 'b', 'a b', 'A', '', '~', 'é', 'a-b', '__proto__', '\0', '\u0001'),
)
const value = fc.oneof(anyText(6), anyText(40), fc.constantFrom('', '\0', 'a\u0001b', '😀', "!'()*", 'ÿþ', '%25'))

/** As both ways give it, with the base string as text. */
function read(encoded: EncodedRequest | undefined) {
  if (encoded === undefined) return undefined
  const { body, baseString } = encoded
  const text = textOf(baseString)
  returnBytes(baseString)
  return { body, text }
}

function byPlan(sent: readonly Parameter[]) {
  const plan = newPlan(noPlans(), sent)
  return plan && encodeByPlan(beginning, plan, sent)
}

describe('encodeByPlan', () => {
  test('encodes any parameters as the plain way does, or leaves them to it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (sent: Parameter[]) => {
        const planned = read(byPlan(sent))
        const isSpecial =
          sent.length === 0 || sent.flat().some((text) => text.includes('\0') || text.includes('\u0001'))
        const isRepeated = new Set(sent.map(([spelled]) => spelled)).size < sent.length
        if (planned === undefined) expect(isSpecial || isRepeated).toBe(true)
        else expect(planned).toEqual(read(encodePlainly(beginning, [], sent)))
      }),
      { numRuns: 1000 },
    )
  })

  test.for([
    ['a separator in a value', [['a', '\0']]],
    ['the other in a value', [['a', 'b\u0001c']]],
    ['a separator in a name', [['a\0', '']]],
    ['a lone surrogate', [['a', 'b\ud800']]],
  ] as const)('leaves %s to the plain way', ([, sent]) => {
    expect(byPlan(sent)).toBeUndefined()
  })

  test('encodes long values', () => {
    const sent: Parameter[] = [
      ['b', '€'.repeat(30_000)],
      ['a', ' '.repeat(70_000)],
    ]
    expect(read(byPlan(sent))).toEqual(read(encodePlainly(beginning, [], sent)))
  })
})

test('neither way takes what stood in the bytes behind the text for a part of it', () => {
  const sent: Parameter[] = [['a', '1']]
  const right = { body: 'a=1', text: 'POST&https%3A%2F%2Fa.example%2F&a%3D1' }
  for (const encode of [byPlan, () => encodePlainly(beginning, [], sent)]) {
    const lent = [lendBytes(0), lendBytes(0)]
    for (const { bytes } of lent) bytes.fill('A')
    for (const each of lent) returnBytes(each)
    expect(read(encode(sent))).toEqual(right)
  }
})

test('encodePlainly counts a query for the signature and not for the body', () => {
  const encoded = encodePlainly(beginning, [['b', '1']], [['a', '2']])
  expect(encoded.body).toBe('a=2')
  expect(textOf(encoded.baseString)).toBe('POST&https%3A%2F%2Fa.example%2F&a%3D2%26b%3D1')
})
