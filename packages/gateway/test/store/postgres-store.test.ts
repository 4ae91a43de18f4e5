import { afterAll, beforeAll, describe } from 'vitest'
import { postgresDatabase } from './postgres-database.ts'
import { storeSuite } from './suite.ts'

let database: Awaited<ReturnType<typeof postgresDatabase>>
beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

describe('in PostgreSQL', () => {
  storeSuite(() => database.open())
})

describe('in PostgreSQL, with every order read from the database', () => {
  storeSuite(() => database.open({ cachedOrders: 0 }))
})
