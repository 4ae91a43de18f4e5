import { expect, test } from 'vitest'
import { isFinalStatus, STATUSES } from '../src/statuses.ts'

test('[G5-01] approved, declined, filtered and error are final', () => {
  expect(['approved', 'declined', 'filtered', 'error'].map(isFinalStatus)).toEqual([true, true, true, true])
})

test('[G5-02] processing is not final, nor is unknown or a status that we do not know', () => {
  expect(['processing', 'unknown', 'on-hold', 'Approved', ''].map(isFinalStatus)).toEqual(Array(5).fill(false))
})

test('the documented statuses are six', () => {
  expect([...STATUSES].sort()).toEqual(['approved', 'declined', 'error', 'filtered', 'processing', 'unknown'])
})
