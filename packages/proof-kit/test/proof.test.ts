import { describe, expect, test } from 'vitest'
import { faultsOf } from '../src/fuzz.ts'
import { readOptions, usageOf } from '../src/prove.ts'
import { Random } from '../src/random.ts'

const proof = {
  name: 'sums',
  meaning: 'Adds numbers.',
  runs: { of: 'sums', long: 1_000_000, quick: 20 },
  flags: { record: 'so many sums to write down' },
  run: () => ({ figure: 'no sum is wrong', findings: [] }),
}

describe('the command line of a proof', () => {
  test('means the long form with any seed by default', () => {
    const options = { isHelp: false, isQuick: false, runs: 1_000_000, seed: 7, flags: {} }
    expect(readOptions(proof, [], 7)).toEqual(options)
    expect(readOptions(proof, ['--quick'], 7)).toEqual({ ...options, isQuick: true, runs: 20, seed: 1 })
  })

  test('may have the number of runs, a seed, and flags of the proof', () => {
    const options = readOptions(proof, ['--quick', '--runs', '3', '--seed', '0', '--record', '5'], 7)
    expect(options).toEqual({ isHelp: false, isQuick: true, runs: 3, seed: 0, flags: { record: '5' } })
  })

  test.for([['--runs', '0'], ['--runs', 'many'], ['--seed', '1.5'], ['--seed', '-1'], ['--fast'], ['extra']])(
    'refuses %s %s',
    (args) => {
      expect(() => readOptions(proof, args, 7)).toThrow(TypeError)
    },
  )

  test('is explained by the help', () => {
    expect(usageOf(proof)).toContain('pnpm prove sums')
    expect(usageOf(proof)).toContain('--quick     20 sums instead of 1,000,000')
    expect(usageOf(proof)).toContain('--record n  so many sums to write down')
  })
})

test('the same seed makes the same choices', () => {
  const choices = (seed: number) => {
    const random = new Random(seed)
    return Array.from({ length: 20 }, () => random.below(1000))
  }
  expect(choices(7)).toEqual(choices(7))
  expect(choices(7)).not.toEqual(choices(8))
})

describe('a fuzzed reader', () => {
  const reader = { name: 'reader', read: () => undefined, hard: [] }

  test('may only throw its own error', () => {
    const tryOne = () => {
      throw new RangeError('too long')
    }
    expect(faultsOf({ ...reader, tryOne, error: RangeError }, 2, 1)).toEqual([])
    expect(faultsOf({ ...reader, tryOne, error: SyntaxError }, 2, 1)).toEqual([
      'reader threw RangeError: too long',
      'reader threw RangeError: too long',
    ])
  })

  test('is reported if it reads something wrongly', () => {
    expect(faultsOf({ ...reader, tryOne: () => 'lost a pair' }, 1, 1)).toEqual(['reader lost a pair'])
  })

  test('must not change a prototype', () => {
    const tryOne = () => {
      Object.defineProperty(Object.prototype, 'admin', { value: true, configurable: true })
      return undefined
    }
    try {
      expect(faultsOf({ ...reader, tryOne }, 1, 1)).toEqual(['reader touched a prototype'])
    } finally {
      Reflect.deleteProperty(Object.prototype, 'admin')
    }
  })
})
