import { expect, test } from 'vitest'
import { CONTROL_CHARACTER } from '../src/errors.ts'

test("finds the control characters of Unicode's category Cc, and no other UTF-16 unit", () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit)
    if (CONTROL_CHARACTER.test(character) !== /\p{Cc}/u.test(character)) expect.fail(`U+${unit.toString(16)}`)
  }
  expect(CONTROL_CHARACTER.test('\0')).toBe(true)
})
