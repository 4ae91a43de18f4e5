import { expect, test } from 'vitest'
import { isSame } from '../../src/oauth/signature-methods.ts'

const mac = '7/zfauXrL6LSdBbV8YTfnCWafHk='

test('a signature equals itself, and not a text with one other character', () => {
  expect(isSame(mac, mac)).toBe(true)
  for (let at = 0; at < mac.length; at++) {
    for (const other of ['!', '\0', 'é', '\u012f', '€']) {
      expect(isSame(mac, mac.slice(0, at) + other + mac.slice(at + 1))).toBe(false)
    }
  }
})

test.for(['', mac.slice(1), `${mac}=`, ` ${mac}`, `${mac.slice(0, 27)}é`])(
  '%j does not equal the signature',
  (other) => {
    expect(isSame(mac, mac)).toBe(true)
    expect(isSame(mac, other)).toBe(false)
  },
)
