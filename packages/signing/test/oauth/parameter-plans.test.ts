import { describe, expect, test } from 'vitest'
import type { Parameter } from '../../src/index.ts'
import {
  knownPlan,
  newPlan,
  noParts,
  noPlans,
  type ParameterPlans,
  partsFor,
  scriptOf,
} from '../../src/oauth/parameter-plans.ts'
import { NO_VALUE, NONCE, PIECE_BYTES, type Script } from '../../src/oauth/script.ts'
import { catchSigningError } from '../catch-signing-error.ts'

function planFor(plans: ParameterPlans, parameters: readonly Parameter[]) {
  return knownPlan(plans, parameters) ?? newPlan(plans, parameters)
}

/** The pieces of a script, encoded once. */
function textOf({ places, lengths, pieces }: Script): string {
  const bytes = Buffer.from(pieces.buffer)
  const texts = [...places.keys()].map((step) => {
    const start = 2 * step * PIECE_BYTES
    return bytes.toString('latin1', start, start + Number(lengths[2 * step]))
  })
  return texts.join('')
}

describe('knownPlan and newPlan', () => {
  test('orders names by the bytes of their encoded form', () => {
    const plan = planFor(noPlans(), [
      ['é', '1'],
      ['a b', '2'],
      ['a-b', '3'],
      ['~', '4'],
    ])
    expect([plan?.before.places, plan?.after.places]).toEqual([Int8Array.of(0, 1, 2), Int8Array.of(3)])
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

describe('scriptOf', () => {
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
    const script = scriptOf(plan, parts)
    expect(textOf(script)).toBe(
      '&o=&oauth=&oauth_consumer_key=shop&oauth_nonce=' +
        '&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1669966913&oauth_version=1.0&p=',
    )
    const valued = [...script.places].filter((at) => at !== NO_VALUE)
    expect(valued).toEqual([2, 1, NONCE, 0])
  })

  test('makes the script once for each second', () => {
    const parts = partsFor(last, sender)
    const script = scriptOf(plan, parts)
    expect(scriptOf(plan, parts)).toBe(script)
    const next = scriptOf(plan, partsFor(last, { ...sender, timestamp: 1_669_966_914 }))
    expect(textOf(next)).toContain('&oauth_timestamp=1669966914&')
  })
})
