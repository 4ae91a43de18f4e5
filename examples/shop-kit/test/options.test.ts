import { afterEach, expect, test, vi } from 'vitest'
import { readOptions } from '../src/options.ts'

afterEach(() => void vi.restoreAllMocks())

test('without options the shop on Express starts on the default ports, stays up and stores nothing', () => {
  expect(readOptions([])).toEqual({
    framework: 'express',
    once: false,
    showCredentials: false,
    gatewayPort: undefined,
    shopPort: undefined,
    data: undefined,
  })
})

test('--nest chooses the shop on Nest', () => {
  expect(readOptions(['--nest', '--once'])).toMatchObject({ framework: 'nest', once: true })
})

test('--data is a folder, absolute or relative to the current directory', () => {
  expect(readOptions(['--data', '/var/shop']).data).toBe('/var/shop')
  expect(readOptions(['--data', 'shop']).data).toBe(`${process.cwd()}/shop`)
})

test.for([
  [['--help'], 0],
  [['--port', '1'], 2],
  [['--shop-port', '65536'], 2],
  [['--shop-port', ''], 2],
  [['--gateway-port', '80.5'], 2],
] as const)('%s ends with exit code %s', ([args, code]) => {
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(process, 'exit').mockImplementation((given) => {
    throw new Error(`exit ${given}`)
  })
  expect(() => readOptions(args)).toThrow(code === 0 ? 'exit' : 'exit 2')
})
