import { expect, test } from 'vitest'
import { judgeIds } from '../judge-ids.ts'
import type { Requirement } from '../requirement.ts'

function stated(id: string, part: string): Requirement {
  return { id, part, origin: 'stated', text: 'A rule.' }
}

test('parts and numbers are compared as numbers', () => {
  const filledIn: Requirement = { ...stated('G1-01', '1'), origin: 'filled in' }
  expect(judgeIds([stated('S2-01', '2'), stated('S5.2-09', '5.2'), stated('S10-01', '10'), filledIn])).toEqual([])
})

test.for([
  ['an id of a wrong form', [stated('S1-1', '1')], 'S1-1 is not of the form S<part>-<nn> or G<part>-<nn>'],
  ['an id of another part', [stated('S1-01', '2')], 'S1-01 does not fit its part or origin'],
  ['an id of another origin', [stated('G1-01', '1')], 'G1-01 does not fit its part or origin'],
  ['a repeated id', [stated('S1-01', '1'), stated('S1-01', '1')], 'S1-01 comes after S1-01'],
  ['a wrong order', [stated('S1-02', '1'), stated('S1-01', '1')], 'S1-01 comes after S1-02'],
] as const)('%s is named', ([, requirements, message]) => {
  expect(judgeIds(requirements)).toEqual([message])
})
