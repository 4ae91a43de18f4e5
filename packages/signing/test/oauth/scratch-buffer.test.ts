import { expect, test } from 'vitest'
import { releaseScratch, takeScratch } from '../../src/oauth/scratch-buffer.ts'

// Loans are compared by `===`, because Vitest takes half a minute to print a difference between so many bytes.

test('bytes are wiped when they are returned', () => {
  const lent = takeScratch(100)
  const end = lent.bytes.write('4111111111111111')
  lent.end = end
  releaseScratch(lent)
  expect(lent.bytes.subarray(0, end).every((byte) => byte === 0)).toBe(true)
  expect(lent.end).toBe(0)
})

test('bytes are lent again only after they were returned', () => {
  const first = takeScratch(100)
  expect(takeScratch(100) === first).toBe(false)
  releaseScratch(first)
  expect(takeScratch(100) === first).toBe(true)
})

test('the view shows the same bytes', () => {
  const { bytes, view } = takeScratch(100)
  bytes.write('ab', 50)
  expect(view.getUint16(50)).toBe(0x6162)
  expect(view.byteLength).toBe(bytes.length)
})

test('a loan has room for as many bytes as were asked for', () => {
  for (const size of [0, 16_384, 16_385, 1_000_000]) {
    const lent = takeScratch(size)
    expect(lent.bytes.length).toBeGreaterThanOrEqual(size)
    releaseScratch(lent)
  }
})

test('a very large buffer is not stored', () => {
  const lent = takeScratch(65_537)
  releaseScratch(lent)
  expect(takeScratch(0) === lent).toBe(false)
})

test('two buffers are stored, and no more', () => {
  const lent = [takeScratch(0), takeScratch(0), takeScratch(0)]
  for (const each of lent) releaseScratch(each)
  const again = [takeScratch(0), takeScratch(0), takeScratch(0)]
  expect(again.filter((each) => lent.includes(each)).length).toBe(2)
})

test('the smallest and the largest buffer that are stored are lent again', () => {
  for (const size of [16_384, 65_536]) {
    const lent = takeScratch(size)
    expect(lent.bytes.length).toBe(size)
    releaseScratch(lent)
    expect(takeScratch(size) === lent).toBe(true)
  }
})
