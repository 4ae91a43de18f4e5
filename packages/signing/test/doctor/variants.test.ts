import { describe, expect, test } from 'vitest'
import { permutations, withExtraSpace } from '../../src/doctor/variants.ts'

describe('withExtraSpace', () => {
  test('adds spaces, line breaks and tabs at either end and at both', () => {
    const gained = ['a ', ' a', ' a ', 'a\n', '\na', '\na\n', 'a\r\n', '\r\na', '\r\na\r\n', 'a\t', '\ta', '\ta\t']
    expect(withExtraSpace('a')).toEqual(gained)
  })

  test('removes white space from either end and from both', () => {
    expect(withExtraSpace('\n a b ').slice(0, 3)).toEqual(['a b', 'a b ', '\n a b'])
  })
})

describe('permutations', () => {
  test('are all orders', () => {
    expect([...permutations([...'abc'])].map((order) => order.join(''))).toEqual([
      'abc',
      'acb',
      'bac',
      'bca',
      'cab',
      'cba',
    ])
    expect([...permutations([])]).toEqual([[]])
  })

  test('of seven are 5,040, and of more are not made', () => {
    expect(new Set(Array.from(permutations([...'abcdefg']), (order) => order.join(''))).size).toBe(5040)
    expect([...permutations([...'abcdefgh'])]).toEqual([])
  })
})
