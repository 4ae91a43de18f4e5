import { expect, test } from 'vitest'
import { textOfFile } from '../../src/internal.ts'

const TEXT = '{"a": "\u00e4\u20ac"}'
const little = new Uint8Array(Uint16Array.from(TEXT, (char) => char.charCodeAt(0)).buffer)
const big = little.map((_, at) => little[at ^ 1] ?? 0)

test.for<readonly [string, Uint8Array]>([
  ['UTF-8', new TextEncoder().encode(TEXT)],
  ['UTF-8 with its mark', new TextEncoder().encode(`\uFEFF${TEXT}`)],
  ['UTF-16 of PowerShell', Uint8Array.of(0xff, 0xfe, ...little)],
  ['UTF-16 without a mark', little],
  ['UTF-16, big end first', Uint8Array.of(0xfe, 0xff, ...big)],
  ['UTF-16, big end first, without a mark', big],
])('[F-C9] a file in %s is read as its text', ([, bytes]) => {
  expect(textOfFile(bytes)).toBe(TEXT)
})

test.for([[], [0x61], [0]])('a file of %j is read as it is', (bytes) => {
  expect(textOfFile(Uint8Array.from(bytes))).toBe(String.fromCharCode(...bytes))
})
