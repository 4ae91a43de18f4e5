import { expect, test } from 'vitest'
import { checkHistories } from './histories.ts'

/** The long form is `node packages/core/proofs/histories.ts`. */
test('[G5-01] [G5-07] random histories never overdraw, and leave no final status', () => {
  const { histories, allowed, refused } = checkHistories({ runs: 400 })
  expect(histories).toBe(400)
  expect(allowed).toBeGreaterThan(400)
  expect(refused).toBeGreaterThan(400)
}, 60_000)
