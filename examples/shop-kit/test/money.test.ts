import { expect, test } from 'vitest'
import { showMoney, toMajor, toMinor } from '../src/money.ts'

test('amounts are converted as text: no cent gets lost', () => {
  expect(toMinor('19.99')).toBe(1999n)
  expect(toMinor(' 4.35 ')).toBe(435n)
  expect(toMinor('1e3')).toBeUndefined()
  expect(toMinor('1.005')).toBeUndefined()
  expect(toMajor(5n)).toBe('0.05')
})

test('an amount is shown with its currency', () => {
  expect(showMoney(1042n, 'USD')).toBe('$10.42')
  expect(showMoney(900_719_925_474_099_301n, 'EUR')).toBe('€9,007,199,254,740,993.01')
})
