import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeParameters, type Parameter } from '../../src/index.ts'
import { noPlans, normalizeByPlan } from '../../src/oauth/parameter-plans.ts'
import { anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'

const name = fc.oneof(anyText(6), fc.constantFrom('a', 'b', 'a b', 'A', '', '~', 'é', 'a-b', '__proto__'))

describe('normalizeByPlan', () => {
  test('writes any parameters as the plain version does, with a new plan and with an old one', () => {
    const plans = noPlans()
    fc.assert(
      fc.property(fc.array(fc.tuple(name, anyText(6))), anyText(6), (parameters: Parameter[], other) => {
        expect(normalizeByPlan(plans, parameters)).toBe(normalizeParameters(parameters))
        const others = parameters.map(([spelled], at): Parameter => [spelled, `${other}${at}`])
        expect(normalizeByPlan(plans, others)).toBe(normalizeParameters(others))
      }),
    )
  })

  test('keeps the names of a request and none of its values', () => {
    const plans = noPlans()
    normalizeByPlan(plans, [
      ['b', 'secret'],
      ['a', 'secret'],
    ])
    expect(JSON.stringify(plans)).not.toContain('secret')
    expect(plans.made).toHaveLength(1)
    expect(plans.made[0]).toMatchObject({ names: ['b', 'a'] })
  })

  test('makes one plan for requests with the same names, and none for names that repeat or are very many', () => {
    const plans = noPlans()
    for (const value of ['1', '2']) normalizeByPlan(plans, [['a', value]])
    normalizeByPlan(plans, [
      ['c', '2'],
      ['c', '1'],
    ])
    normalizeByPlan(
      plans,
      Array.from({ length: 65 }, (_, at) => [`n${at}`, '']),
    )
    expect(plans.made.map(({ names }) => names)).toEqual([['a']])
  })

  test('puts the newest plan in the place of the oldest', () => {
    const plans = noPlans()
    for (let at = 0; at < 65; at++) normalizeByPlan(plans, [[`n${at}`, '']])
    expect(plans.made).toHaveLength(64)
    expect(plans.made[0]?.names).toEqual(['n64'])
    expect(plans.made[1]?.names).toEqual(['n1'])
  })

  test('refuses what the plain version refuses', () => {
    const plans = noPlans()
    for (const pair of [
      ['a', '\ud800'],
      ['\ud800', 'a'],
    ] as const) {
      expect(catchSigningError(() => normalizeByPlan(plans, [pair])).code).toBe('BAD_TEXT')
    }
    for (const pair of [
      ['a', undefined],
      [1, 'a'],
    ] as unknown as Parameter[]) {
      expect(catchSigningError(() => normalizeByPlan(plans, [pair])).code).toBe('BAD_ARGUMENT')
    }
  })
})
