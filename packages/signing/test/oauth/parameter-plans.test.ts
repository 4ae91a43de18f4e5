import { describe, expect, test } from 'vitest'
import type { Parameter } from '../../src/index.ts'
import { NO_VALUE, NONCE } from '../../src/oauth/encode-twice.ts'
import { knownPlan, newPlan, noPlans, type ParameterPlans, stepsOf } from '../../src/oauth/parameter-plans.ts'
import { noParts, partsFor } from '../../src/oauth/protocol-parts.ts'
import { catchSigningError } from '../catch-signing-error.ts'

function planFor(plans: ParameterPlans, parameters: readonly Parameter[]) {
  return knownPlan(plans, parameters) ?? newPlan(plans, parameters)
}

describe('knownPlan and newPlan', () => {
  test('orders names by the bytes of their encoded form', () => {
    const plan = planFor(noPlans(), [
      ['é', '1'],
      ['a b', '2'],
      ['a-b', '3'],
      ['~', '4'],
    ])
    expect([plan?.before.map(({ at }) => at), plan?.after.map(({ at }) => at)]).toEqual([[0, 1, 2], [3]])
  })

  test('makes one plan for requests with the same names, and none for names that repeat or are very many', () => {
    const plans = noPlans()
    for (const value of ['1', '2']) expect(planFor(plans, [['a', value]])).toBe(plans.made[0])
    const repeated: Parameter[] = [
      ['c', '2'],
      ['c', '1'],
    ]
    expect(planFor(plans, repeated)).toBeUndefined()
    const many = Array.from({ length: 65 }, (_, at): Parameter => [`n${at}`, ''])
    expect(planFor(plans, many)).toBeUndefined()
    expect(planFor(plans, many.slice(1))).toBeDefined()
    expect(plans.made.map(({ names }) => names.length)).toEqual([1, 64])
  })

  test('makes another plan for other names, another order and another number', () => {
    const plans = noPlans()
    for (const names of [['a', 'b'], ['b', 'a'], ['a'], ['a', 'c'], []]) {
      planFor(
        plans,
        names.map((name): Parameter => [name, '']),
      )
    }
    expect(plans.made).toHaveLength(5)
  })

  test('keeps the names of a request and none of its values', () => {
    const plans = noPlans()
    planFor(plans, [
      ['b', 'secret'],
      ['a', 'secret'],
    ])
    expect(JSON.stringify(plans)).not.toContain('secret')
    expect(plans.made[0]).toMatchObject({ names: ['b', 'a'] })
  })

  test('replaces the oldest plan by the newest', () => {
    const plans = noPlans()
    for (let at = 0; at < 65; at++) planFor(plans, [[`n${at}`, '']])
    expect(plans.made).toHaveLength(64)
    expect(plans.made[0]?.names).toEqual(['n64'])
    expect(plans.made[1]?.names).toEqual(['n1'])
  })

  test('refuses names that cannot be encoded', () => {
    expect(catchSigningError(() => planFor(noPlans(), [['\ud800', 'a']])).code).toBe('BAD_TEXT')
    const untyped = [[1, 'a']] as unknown as Parameter[]
    expect(catchSigningError(() => planFor(noPlans(), untyped)).code).toBe('BAD_ARGUMENT')
  })
})

describe('stepsOf', () => {
  const plan = planFor(noPlans(), [
    ['p', ''],
    ['oauth', ''],
    ['o', ''],
  ])
  if (plan === undefined) throw new Error('no plan')
  const last = noParts()
  const sender = { method: 'HMAC-SHA1', consumerKey: 'shop', timestamp: 1_669_966_913 }

  test("puts the protocol's parameters where their names belong: those up to the nonce, then the others", () => {
    const parts = partsFor(last, sender)
    const steps = stepsOf(plan, parts)
    expect(steps.map(({ at }) => at)).toEqual([2, 1, NONCE, NO_VALUE, 0])
    expect(steps.slice(2, 4).map(({ name }) => name)).toEqual([parts.beforeNonce, parts.afterNonce])
  })

  test('makes the steps once for each second', () => {
    const parts = partsFor(last, sender)
    const steps = stepsOf(plan, parts)
    expect(stepsOf(plan, parts)).toBe(steps)
    const next = partsFor(last, { ...sender, timestamp: 1_669_966_914 })
    expect(stepsOf(plan, next)[3]?.name).toBe(next.afterNonce)
  })
})
