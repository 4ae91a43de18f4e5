import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { SQLSTATE, serverCode, serverErrorOf } from '../src/sqlstate.ts'

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

test('what the server said is found in the error of a library, with the constraint that it names', () => {
  const message = 'duplicate key value violates unique constraint "journal_intents_attempt"'
  const said = { code: '23505', message, constraint: 'journal_intents_attempt' }
  const driver = Object.assign(new Error(message), { severity: 'ERROR', code: '23505' })
  expect(serverErrorOf(new Error('Failed query', { cause: driver }))).toEqual(said)
  expect(
    serverErrorOf(Object.assign(new Error(), { name: 'SequelizeUniqueConstraintError', original: driver })),
  ).toEqual(said)
  const adapter = { cause: { originalCode: '23505', originalMessage: message, kind: 'UniqueConstraintViolation' } }
  const prisma = Object.assign(new Error('Raw query failed'), { code: 'P2010', meta: { driverAdapterError: adapter } })
  expect(serverErrorOf(prisma)).toEqual(said)
  expect(serverErrorOf(new Error('Failed query', { cause: new Error('connect ECONNREFUSED') }))).toBeUndefined()
})
