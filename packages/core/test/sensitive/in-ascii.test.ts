import { describe, expect, test } from 'vitest'
import { inAscii, withPlainDigits } from '../../src/sensitive/mask-card-numbers.ts'

describe('inAscii', () => {
  test.each([
    ['a 1-', 'a 1-'],
    ['\u00a0', ' '],
    ['％', '%'],
    ['－', '-'],
    ['é', 'x'],
    ['日', 'x'],
    ['４', 'x'],
    ['ﬁ', 'x'],
    ['–', ' '],
    ['…', ' '],
    ['™', ' '],
    ['\u0080', ' '],
    ['\u200b', ' '],
    ['a€b', 'a b'],
  ])('makes of %j the text %j', (text, plain) => expect(inAscii(text)).toBe(plain))
})

describe('withPlainDigits', () => {
  test.each([
    ['a 1-', 'a 1-'],
    ['４日９', '4日9'],
    ['²', '2'],
    ['½', '½'],
    ['⑴', '⑴'],
    ['é', 'é'],
  ])('makes of %j the text %j', (text, plain) => expect(withPlainDigits(text)).toBe(plain))
})
