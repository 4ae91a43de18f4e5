import { expect, test } from 'vitest'
import { lendBytes, returnBytes } from '../../src/oauth/lent-bytes.ts'

// Loans are compared by `===` alone: what Vitest says of a difference between so many bytes takes it half a minute.

test('bytes are wiped when they come back', () => {
  const lent = lendBytes(100)
  const end = lent.bytes.write('4111111111111111')
  lent.end = end
  returnBytes(lent)
  expect(lent.bytes.subarray(0, end).every((byte) => byte === 0)).toBe(true)
  expect(lent.end).toBe(0)
})

test('bytes are lent again when they have come back, and to nobody else before', () => {
  const first = lendBytes(100)
  expect(lendBytes(100) === first).toBe(false)
  returnBytes(first)
  expect(lendBytes(100) === first).toBe(true)
})

test('the view shows the same bytes', () => {
  const { bytes, view } = lendBytes(100)
  bytes.write('ab', 50)
  expect(view.getUint16(50)).toBe(0x6162)
  expect(view.byteLength).toBe(bytes.length)
})

test('there are always enough of them', () => {
  for (const size of [0, 16_384, 16_385, 1_000_000]) {
    const lent = lendBytes(size)
    expect(lent.bytes.length).toBeGreaterThanOrEqual(size)
    returnBytes(lent)
  }
})

test('very many bytes are not kept', () => {
  const lent = lendBytes(65_537)
  returnBytes(lent)
  expect(lendBytes(0) === lent).toBe(false)
})

test('two are kept, and no more', () => {
  const lent = [lendBytes(0), lendBytes(0), lendBytes(0)]
  for (const each of lent) returnBytes(each)
  const again = [lendBytes(0), lendBytes(0), lendBytes(0)]
  expect(again.filter((each) => lent.includes(each)).length).toBe(2)
})

test('what is just large enough is lent, and what is just small enough is kept', () => {
  for (const size of [16_384, 65_536]) {
    const lent = lendBytes(size)
    expect(lent.bytes.length).toBe(size)
    returnBytes(lent)
    expect(lendBytes(size) === lent).toBe(true)
  }
})
