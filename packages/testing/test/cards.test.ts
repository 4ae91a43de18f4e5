import { inspect, isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { cards, saleInput } from '../src/index.ts'

const untyped: Readonly<Record<string, object>> = cards

test('reading an unknown card throws, even in a spread', () => {
  const message = 'cards: there is no insuficientFunds; did you mean insufficientFunds?'
  expect(() => saleInput(untyped['insuficientFunds'])).toThrow(new TypeError(message))
  expect(() => saleInput({ amount: '7.00', ...untyped['insuficientFunds'] })).toThrow(message)
  expect(() => untyped['lowOnMoney']).toThrow('cards: there is no lowOnMoney; there are approved, ')
})

test('the cards are an object like any other', async () => {
  const names = Object.keys(cards)
  expect(names).toHaveLength(15)
  expect({ ...cards }).toEqual(cards)
  expect(cards).toEqual({ ...cards })
  expect(cards).toStrictEqual({ ...cards })
  expect(isDeepStrictEqual({ ...cards }, cards)).toBe(true)
  expect(Object.keys(JSON.parse(JSON.stringify(cards)))).toEqual(names)
  expect(inspect(cards)).toContain('insufficientFunds')
  expect(() => expect(cards).toEqual(1)).toThrow('expected')
  expect(await Promise.resolve(cards)).toBe(cards)
  expect([String(cards), 'approved' in cards, 'aproved' in cards]).toEqual(['[object Object]', true, false])
})
