import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyBits } from '../../src/index.ts'

const digest = (number: number) => createHash('sha256').update(`key ${number}`).digest()
const numbers = Array.from({ length: 2000 }, (_, number) => number)

test.for([
  ['a UUID', 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20', 128],
  ['32 hexadecimal digits', '9b74c9897bac770ffc029102a200c5de', 128],
  ['22 characters of base64url', 'Kq3vX9mZ-r7TbW2yNcP5_A', 132],
] as const)('a random key has the bits of its length: %s', ([, key, bits]) => {
  expect(keyBits(key)).toBe(bits)
})

test('random keys of 128 bits or more are not mistaken for guessable ones', () => {
  const hex = numbers.filter((number) => keyBits(digest(number).toString('hex').slice(0, 32)) < 128)
  const base64 = numbers.filter((number) => keyBits(digest(number).subarray(0, 24).toString('base64')) < 128)
  expect([hex, base64]).toEqual([[], []])
})

test.for([
  '',
  '...',
  'hunter2-hunter2',
  'changeme',
  'changemechangemechangemechangemechangeme',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  '12345678901234567890123456789012345678901234567890',
  '0123456789abcdef0123456789abcdef',
  '00000000-0000-4000-8000-000000000000',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'qwertyuiopasdfghjklzxcvbnm1234567890',
  'shop-control-key-2026-production',
  'this-is-the-control-key-of-our-shop',
  'correct horse battery staple of the shop',
  'MySuperSecretControlKeyForThePaymentGateway123!',
  '\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}',
])('what people write has fewer than 128 bits: %j', (key) => {
  expect(keyBits(key)).toBeLessThan(128)
})
