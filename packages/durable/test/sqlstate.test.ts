import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { SQLSTATE, serverCode } from '../src/sqlstate.ts'

test('an error that the server reported has its code', () => {
  const refused = Object.assign(new DatabaseError('deadlock detected', 0, 'error'), {
    severity: 'ERROR',
    code: '40P01',
  })
  expect(serverCode(refused)).toBe(SQLSTATE.DEADLOCK)
})

test.each([
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
  new Error('Connection terminated unexpectedly'),
  '40P01',
])('a connection that failed has none: %s', (error) => {
  expect(serverCode(error)).toBeUndefined()
})
