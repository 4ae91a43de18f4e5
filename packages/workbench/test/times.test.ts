import { expect, test } from 'vitest'
import { exactTime, relativeTime } from '../src/times.ts'

const NOW = Date.UTC(2030, 0, 1)

test.for([
  [0, 'now'],
  [-400, 'now'],
  [-1_000, '1 second ago'],
  [-119_000, '1 minute ago'],
  [3_600_000, 'in 1 hour'],
  [-3 * 86_400_000, '3 days ago'],
] as const)('[F-E12] a time %d ms from now is %s', ([away, said]) => {
  expect(relativeTime(NOW + away, NOW)).toBe(said)
})

test('[F-E12] an exact time has its milliseconds', () => {
  expect(exactTime(NOW + 7)).toBe('2030-01-01 00:00:00.007')
})
