import { expect, test } from 'vitest'
import { lendBytes, returnBytes } from '../../src/oauth/lent-bytes.ts'

test('bytes are wiped when they come back', () => {
  const bytes = lendBytes(100)
  const end = bytes.write('4111111111111111')
  returnBytes({ bytes, end })
  expect(bytes.subarray(0, end).every((byte) => byte === 0)).toBe(true)
})

test('bytes are lent again when they have come back, and to nobody else before', () => {
  const first = lendBytes(100)
  expect(lendBytes(100)).not.toBe(first)
  returnBytes({ bytes: first, end: 0 })
  expect(lendBytes(100)).toBe(first)
})

test('there are always enough of them', () => {
  for (const size of [0, 16_384, 16_385, 1_000_000]) {
    const bytes = lendBytes(size)
    expect(bytes.length).toBeGreaterThanOrEqual(size)
    returnBytes({ bytes, end: 0 })
  }
})

test('very many bytes are not kept', () => {
  const bytes = lendBytes(65_537)
  returnBytes({ bytes, end: 0 })
  expect(lendBytes(0)).not.toBe(bytes)
})
