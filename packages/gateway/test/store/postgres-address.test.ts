import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { requireAddress } from '../../src/store/postgres/connections.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { folderOf } from '../support/folder.ts'

const SECRET = 'pass-word-1'
const at = (rest: string) => `postgres://u:${SECRET}@${rest}`

describe('an address of a database', () => {
  test.for([
    ['payments', 'must be an address'],
    ['host=db.example.com dbname=payments', 'must be an address'],
    [`mysql://u:${SECRET}@db.example.com/payments`, 'must be an address'],
    [`postgres://u:${SECRET}/?@db.example.com:port/payments`, 'is no address'],
    [at('db.example.com:99999/payments?sslmode=verify-full'), 'is no address'],
    [at('db.example.com/payments?sslmode=verify_full'), 'sslmode must be one of disable, '],
    [at('db.example.com/payments?sslmode='), 'sslmode must be one of disable, '],
    [at('db.example.com/payments?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'), 'names a certificate'],
  ] as const)('such as %s is refused at once: it %s', ([connectionString, why]) => {
    const error = thrownBy(() => postgresStore({ connectionString, allowPlainConnection: true }))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(`connectionString: ${why}`)
    expect(String(error)).not.toContain(SECRET)
  })

  test.for(['', '?sslmode=disable', '?sslmode=no-verify', '?ssl=0', '?host=10.0.0.7', '?host=localhost.example.com'])(
    'beyond this machine with %j is refused, and taken when that is wanted',
    (query) => {
      const address = at(`db.example.com/payments${query}`)
      expect(() => requireAddress(address, false)).toThrow(
        /^connectionString: beyond this machine it needs sslmode=verify-full.*allowPlainConnection/,
      )
      expect(() => requireAddress(address, true)).not.toThrow()
    },
  )

  test.for(['localhost', '127.0.0.1', '[::1]', '%2Frun%2Fpostgresql'])('on this machine, %s, needs no TLS', (host) => {
    expect(() => requireAddress(at(`${host}/payments`), false)).not.toThrow()
  })

  test('that requires a verified certificate is accepted, also with a certificate file that can be read', () => {
    const file = join(folderOf({ 'ca.pem': '' }), 'ca.pem')
    const verified = at('db.example.com/payments?sslmode=verify-full')
    for (const address of [verified, `${verified}&sslrootcert=${file}`]) {
      expect(() => requireAddress(address, false)).not.toThrow()
    }
  })
})

function thrownBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
