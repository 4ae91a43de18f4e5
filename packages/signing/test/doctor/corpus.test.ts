import { Random } from '@tallystick/proof-kit'
import { describe, expect, test } from 'vitest'
import { explainControl, explainOAuth } from '../../src/index.ts'
import { CONTROL_BREAKERS, rightControl } from './broken-controls.ts'
import { OAUTH_BREAKERS, rightOAuth, unprovable } from './broken-oauth.ts'

const SEED = 20_221_202
/** These make 840 controls and 660 OAuth requests. */
const PER_CONTROL_CAUSE = 40
const PER_OAUTH_CAUSE = 20
const RIGHT = 1000
const TIMEOUT = 60_000

/** For `perCause` requests with each cause: the cause that was named. */
function diagnose<Evidence>(
  breakers: Readonly<Record<string, (random: Random) => Evidence>>,
  explain: (evidence: Evidence) => { explained: boolean; cause?: string },
  perCause: number,
) {
  const random = new Random(SEED)
  return Object.entries(breakers).flatMap(([cause, breakIt]) =>
    Array.from({ length: perCause }, () => ({ cause, named: explain(breakIt(random)).cause ?? 'not explained' })),
  )
}

/** The share of the causes that were named. None may be named wrongly. */
function share(found: readonly { cause: string; named: string }[]): number {
  const missed = found.filter(({ cause, named }) => cause !== named && named !== 'not explained')
  expect(missed, 'a mistake was taken for another one').toEqual([])
  return found.filter(({ cause, named }) => cause === named).length / found.length
}

describe('the signature doctor, over a seeded set of broken signatures', { timeout: TIMEOUT }, () => {
  test('names the cause of 95% of broken controls, and never a wrong one', () => {
    const found = diagnose(CONTROL_BREAKERS, explainControl, PER_CONTROL_CAUSE)
    expect(found.length).toBeGreaterThanOrEqual(500)
    expect(share(found)).toBeGreaterThanOrEqual(0.95)
  })

  test('names the cause of 95% of broken OAuth signatures, and never a wrong one', () => {
    const found = diagnose(OAUTH_BREAKERS, explainOAuth, PER_OAUTH_CAUSE)
    expect(found.length).toBeGreaterThanOrEqual(600)
    expect(share(found)).toBeGreaterThanOrEqual(0.95)
  })

  test('names no cause for right signatures', () => {
    const random = new Random(SEED)
    for (let count = 0; count < RIGHT; count++) {
      expect(explainControl(rightControl(random))).toEqual({ explained: false, right: true })
      expect(explainOAuth(rightOAuth(random))).toEqual({ explained: false, right: true })
    }
  })

  test('does not guess at a key that nobody knows', () => {
    const random = new Random(SEED)
    for (let count = 0; count < 100; count++) {
      expect(explainOAuth(unprovable(random))).toMatchObject({ explained: false, right: false })
      expect(explainControl({ ...rightControl(random), key: 'other' })).toMatchObject({
        explained: false,
        right: false,
      })
    }
  })

  test('shows no key, no card number and no card code', () => {
    const random = new Random(SEED)
    for (const breakIt of Object.values(OAUTH_BREAKERS)) {
      const evidence = breakIt(random)
      const shown = JSON.stringify(explainOAuth(evidence))
      expect(shown).not.toMatch(/4111111111111111|cvv2(=|%3D)973|of-the-sandbox|BEGIN|PRIVATE/)
      if (evidence.method === 'HMAC-SHA1') expect(shown).not.toContain(evidence.secret)
    }
    for (const breakIt of Object.values(CONTROL_BREAKERS)) {
      const evidence = breakIt(random)
      expect(JSON.stringify(explainControl(evidence))).not.toContain(evidence.key)
    }
  })
})
