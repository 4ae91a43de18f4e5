import { expect, test } from 'vitest'
import { lendBytes, returnBytes } from '../../src/oauth/scratch-buffer.ts'

// Loans are compared by `===`, because Vitest takes half a minute to print a difference between so many bytes.

test('bytes are wiped when they are returned', () => {
  const lent = lendBytes(100)
  const end = lent.bytes.write('4111111111111111')
  lent.end = end
  returnBytes(lent)
  expect(lent.bytes.subarray(0, end).every((byte) => byte === 0)).toBe(true)
  expect(lent.end).toBe(0)
})

test('bytes are lent again only after they were returned', () => {
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

test('a loan has room for as many bytes as were asked for', () => {
  for (const size of [0, 16_384, 16_385, 1_000_000]) {
    const lent = lendBytes(size)
    expect(lent.bytes.length).toBeGreaterThanOrEqual(size)
    returnBytes(lent)
  }
})

test('a very large buffer is not stored', () => {
  const lent = lendBytes(65_537)
  returnBytes(lent)
  expect(lendBytes(0) === lent).toBe(false)
})

test('two buffers are stored, and no more', () => {
  const lent = [lendBytes(0), lendBytes(0), lendBytes(0)]
  for (const each of lent) returnBytes(each)
  const again = [lendBytes(0), lendBytes(0), lendBytes(0)]
  expect(again.filter((each) => lent.includes(each)).length).toBe(2)
})

test('the smallest and the largest buffer that are stored are lent again', () => {
  for (const size of [16_384, 65_536]) {
    const lent = lendBytes(size)
    expect(lent.bytes.length).toBe(size)
    returnBytes(lent)
    expect(lendBytes(size) === lent).toBe(true)
  }
})
