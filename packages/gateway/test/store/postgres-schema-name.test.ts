import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

describe('a schema', () => {
  test.for([
    ['Payments', 'must begin with a letter'],
    ['pay-ments', 'must begin with a letter'],
    ['', 'must begin with a letter'],
    ['pg_payments', 'must begin with a letter, but not with pg_'],
    ['user', 'user is a reserved word of PostgreSQL'],
    ['order', 'order is a reserved word of PostgreSQL'],
    ['left', 'left is a reserved word of PostgreSQL'],
  ] as const)('called %s is refused: %s', async ([schema, why]) => {
    const open = async () => await postgresStore({ connectionString: database.url, schema, jobs: false }).ready()
    const error = await open().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(`schema: ${why}`)
  })

  test.for(['payments_2', 'values', 'schema'])('called %s is taken', async (schema) => {
    const store = postgresStore({ connectionString: database.url, schema, jobs: false })
    expect(await store.isReady()).toBe(true)
    await store.reset()
    await store.close()
  })
})
