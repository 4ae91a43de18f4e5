import { expect, test } from 'vitest'
import { passesLuhn } from '../../src/sensitive/pan.ts'

test.each(['0', '18', '4444555566661111', '378282246310005'])('%s passes', (text) => {
  expect(passesLuhn(text)).toBe(true)
})

// The characters before 0 and after 9 would count with values of their own, and make a sum that passes.
test.each(['1', '19', '4444555566661112', '9:', '5/', '4444 5555 6666 1111', 'é'])('%j does not', (text) => {
  expect(passesLuhn(text)).toBe(false)
})
