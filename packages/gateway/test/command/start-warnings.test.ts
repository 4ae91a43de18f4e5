import { expect, test } from 'vitest'
import { startWarnings } from '../../src/command/start-warnings.ts'

/** The settings that the warnings of a configuration are about. */
function warned(configuration: Partial<Parameters<typeof startWarnings>[0]>): readonly string[] {
  const warnings = startWarnings({ sandbox: false, store: 'gateway.db', publicUrl: undefined, ...configuration })
  return warnings.map((text) => text.slice(0, text.indexOf(':')))
}

test('a gateway that forgets its orders warns, and a sandbox does not', () => {
  expect(startWarnings({ sandbox: false, store: 'memory', publicUrl: undefined })).toEqual([
    'store: is memory, so all orders are lost when this process ends; name a database file or a PostgreSQL',
  ])
  expect(warned({ store: 'memory', sandbox: true })).toEqual([])
  expect(warned({})).toEqual([])
  expect(warned({ store: 'postgres://shop@db.example.com/gateway' })).toEqual([])
})

test.for([
  ['http://gate.example.com/paynet', ['publicUrl']],
  ['HTTP://gate.example.com/paynet', ['publicUrl']],
  ['http://localhost.example.com', ['publicUrl']],
  ['http://127.0.0.1.example.com', ['publicUrl']],
  ['http://10.0.0.7:8080/paynet', ['publicUrl']],
  ['https://gate.example.com/paynet', []],
  ['http://127.0.0.1:8080/paynet', []],
  ['http://localhost', []],
  ['http://[::1]:8080/paynet', []],
] as const)('of %s: %o', ([publicUrl, expected]) => {
  expect(warned({ publicUrl })).toEqual(expected)
  expect(warned({ publicUrl, sandbox: true })).toEqual([])
})

test('both warnings are given', () => {
  expect(warned({ store: 'memory', publicUrl: 'http://gate.example.com' })).toEqual(['store', 'publicUrl'])
})
