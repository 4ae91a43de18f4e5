import { expect, test } from 'vitest'
import { withConstants } from '../constants.ts'

test.for([
  ['what nothing assigns to', 'var a = 1;\nfunction f() { return a }', 'const a=1;\nfunction f() { return a }'],
  ['what is filled', 'var a = [];\na[0] = 1; a.b++', 'const a=[];\na[0] = 1; a.b++'],
  ['a minified module', 'var a=1,b=2;f(a,b)', 'const a=1,b=2;f(a,b)'],
  ['a pattern', 'var [a, b] = [1, 2];', 'const [a, b]=[1, 2];'],
  ['several', 'var a = 1;\nvar b = a;\n', 'const a=1;\nconst b=a;\n'],
] as const)('%s is a constant', ([, code, constant]) => {
  expect(withConstants(code)).toBe(constant)
})

test.for([
  ['has no value yet', 'var a;\na = 1'],
  ['is assigned to', 'var a = 1;\nfunction f() { a = 2 }'],
  ['is counted', 'var a = 1;\nfunction f() { a++ }'],
  ['is assigned to by a pattern', 'var a = 1;\nfunction f() { [a] = [2]; }'],
  ['is assigned to by a loop', 'var a = 1;\nfunction f() { for (a of []) g() }'],
  ['is assigned to by a loop over names', 'var a = 1;\nfunction f() { for (a in {}) g() }'],
  ['is declared beside one that is', 'var a = 1, b = 2;\nb = 3'],
  ['is within a function', 'function f() { var a = 1; return a }'],
] as const)('what %s stays a variable', ([, code]) => {
  expect(withConstants(code)).toBe(code)
})

test('columns stay where they were behind a name', () => {
  const code = 'var name = call(1);'
  expect(withConstants(code).indexOf('call')).toBe(code.indexOf('call'))
})
