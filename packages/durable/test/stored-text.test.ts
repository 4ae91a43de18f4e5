import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readable, readableRow, storable, storableValue } from '../src/stored-text.ts'

const text = fc.string({ unit: fc.oneof(fc.constantFrom('\0', '\uE000', '0', '1'), fc.string({ unit: 'binary' })) })

test('A stored text has no U+0000 and is read as it was written', () => {
  fc.assert(
    fc.property(text, (written) => {
      const stored = storable(written)
      expect(stored).not.toContain('\0')
      expect(readable(stored)).toBe(written)
    }),
  )
})

test('The character and its mark are stored as two others, everything else as it is', () => {
  expect(['a\0b', 'a\uE000b', '\uE0000', '5 €'].map(storable)).toEqual(['a\uE0000b', 'a\uE0001b', '\uE00010', '5 €'])
})

test('Texts of a statement are stored so, also in a list, and other values as they are', () => {
  const bytes = new Uint8Array([0])
  expect(storableValue(['a\0', ['b\0'], 1n, null, bytes])).toEqual(['a\uE0000', ['b\uE0000'], 1n, null, bytes])
})

test('Texts of a row are read, and other values stay as they are', () => {
  const bytes = new Uint8Array([0])
  expect(readableRow({ name: 'a\uE0000', amount: 5n, bytes, none: null })).toEqual({
    name: 'a\0',
    amount: 5n,
    bytes,
    none: null,
  })
})
