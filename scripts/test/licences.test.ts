import { expect, test } from 'vitest'
import { type Component, problemsIn } from '../release/bill.ts'

const component = (licenses: Component['licenses']): Component => {
  const base = { type: 'library', name: 'some', version: '1.2.3', purl: 'pkg:npm/some@1.2.3', 'bom-ref': 'some' }
  return licenses === undefined ? base : { ...base, licenses }
}

test.each(['MIT', 'Apache-2.0', 'BSD-3-Clause'])('%s may be brought along', (id) => {
  expect(problemsIn([component([{ license: { id } }])])).toEqual([])
})

test('of a choice one licence is enough, of a sum all are needed', () => {
  expect(problemsIn([component([{ expression: '(MIT OR GPL-2.0-only)' }])])).toEqual([])
  expect(problemsIn([component([{ expression: 'MIT AND GPL-2.0-only' }])])).toEqual([
    'some@1.2.3 is under MIT AND GPL-2.0-only',
  ])
})

test.each([
  [[{ license: { id: 'GPL-3.0-only' } }], 'some@1.2.3 is under GPL-3.0-only'],
  [[{ license: { id: 'MIT' } }, { license: { id: 'AGPL-3.0-only' } }], 'some@1.2.3 is under MIT, AGPL-3.0-only'],
  [[{ license: { name: 'SEE LICENSE IN terms.txt' } }], 'some@1.2.3 is under SEE LICENSE IN terms.txt'],
  [[], 'some@1.2.3 has no licence'],
  [undefined, 'some@1.2.3 has no licence'],
])('%j is named', (licenses, problem) => {
  expect(problemsIn([component(licenses)])).toEqual([problem])
})
