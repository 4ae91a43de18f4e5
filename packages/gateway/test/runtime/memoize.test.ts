import { expect, test } from 'vitest'
import { memoize } from '../../src/runtime/tasks.ts'
import { amountFormatter } from '../../src/texts/languages.ts'

test('what comes again is made once, and at most a thousand are remembered', () => {
  const made: string[] = []
  const ask = memoize((text) => {
    made.push(text)
    return { text }
  })
  expect(ask('a')).toBe(ask('a'))
  const texts = Array.from({ length: 1000 }, (_, at) => String(at))
  expect(texts.map((text) => ask(text).text)).toEqual(texts)
  expect(made).toHaveLength(1001)
  expect([ask('a').text, made.length]).toEqual(['a', 1002])
})

test('a text of more than two hundred characters is not remembered', () => {
  let made = 0
  const ask = memoize(() => ++made)
  const [long, longer] = ['a'.repeat(200), 'a'.repeat(201)]
  expect([ask(long), ask(long), ask(longer), ask(longer)]).toEqual([1, 1, 2, 3])
})

test('an amount is written in its own language, currency and decimals, whatever was written before', () => {
  const format = amountFormatter()
  const asked = [
    ['34.00', 'EUR', 'en', '&#8364;34.00'],
    ['34.00', 'EUR', 'de', '34,00&#160;&#8364;'],
    ['34.00', 'USD', 'en', '$34.00'],
    ['34', 'JPY', 'en', '&#165;34'],
    ['34.000', 'KWD', 'en', 'KWD&#160;34.000'],
    ['many', 'EUR', 'en', 'many EUR'],
  ] as const
  for (const [amount, currency, tag, written] of [...asked, ...asked]) {
    expect(String(format(amount, currency, tag))).toBe(written)
  }
})
