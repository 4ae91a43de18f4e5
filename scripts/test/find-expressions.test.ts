import { expect, test } from 'vitest'
import { findExpressions } from '../expressions/find-expressions.ts'

const found = (text: string) =>
  findExpressions('file.ts', text).map(({ pattern, isExplained }) => [pattern, isExplained])

test('finds each expression, and none in texts and comments', () => {
  expect(found("const a = /x+/g\n// /y/\nconst b = '/z/'\nf(/[/]w/u)")).toEqual([
    ['x+', false],
    ['[/]w', false],
  ])
})

test('an explanation must be right above what it explains', () => {
  expect(found('// Linear: it is short.\nconst a =\n  /x+/\nconst b = /y+/\nf(/z/)')).toEqual([
    ['x+', true],
    ['y+', false],
    ['z', false],
  ])
  expect(found('// It is linear.\nconst a = /x+/')).toEqual([['x+', false]])
})

test('a file that cannot be parsed is an error', () => {
  expect(() => found('const = /x/')).toThrow('file.ts cannot be read')
})
