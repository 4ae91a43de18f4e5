import { expect, test } from 'vitest'
import { LostError, takeFrom } from '../../src/store/postgres/connection-errors.ts'

/** What Node throws if none of the addresses of a name can be reached. `localhost` has two. */
const NONE_THERE = new AggregateError([
  new Error('connect ECONNREFUSED ::1:5432'),
  new Error('connect ECONNREFUSED 127.0.0.1:5432'),
])

test("if none of the addresses of a server's name can be reached, the error names each of them", async () => {
  const nowhere = { take: () => Promise.reject(NONE_THERE), close: async () => {} }
  await expect(takeFrom(nowhere)).rejects.toThrow(
    new LostError('connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432'),
  )
})
