import fc from 'fast-check'
import { expect, test } from 'vitest'
import { difference } from '../src/difference.ts'

test.for([
  ['110.42x', '11042x', '.', ''],
  ['a+b', 'a%20b', '+', '%20'],
  ['same', 'same', '', ''],
  ['aa', 'aaa', '', 'a'],
  ['', 'all', '', 'all'],
] as const)('[F-E11] of %j and %j what differs is marked', ([one, other, marked, otherMarked]) => {
  const [[, inOne], [, inOther]] = difference(one, other)
  expect([inOne, inOther]).toEqual([marked, otherMarked])
})

test('[F-E11] the parts make up the texts, and those around the mark are the same in both', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '&') })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [ofOne, ofOther] = difference(one, other)
      expect([ofOne.join(''), ofOther.join('')]).toEqual([one, other])
      expect([ofOne[0], ofOne[2]]).toEqual([ofOther[0], ofOther[2]])
    }),
  )
})
