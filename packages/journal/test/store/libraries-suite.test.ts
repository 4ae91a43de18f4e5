import { type TestDatabase, testDatabase } from '@tallystick/test-postgres'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { LIBRARIES, type Library } from './libraries.ts'
import { freshSchema } from './postgres-schema.ts'
import { journalStoreSuite } from './suite.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const EVERYTHING = ['outcomes', 'intents', 'orphan_orders', 'gateway_answers']
  .map((name) => `delete from journal_${name}`)
  .join(';')

// One library and one schema for all tests: to open connections and to make the tables takes longer than a test.
describe.each(Object.entries(LIBRARIES))('The journal on %s does what every store does:', (_, openLibrary) => {
  let library: Library
  let shop: pg.Client
  beforeAll(async () => {
    const url = await freshSchema(database)
    library = await openLibrary(url)
    await library.store.counts()
    shop = new pg.Client({ connectionString: url })
    await shop.connect()
  })
  afterEach(async () => void (await shop.query(EVERYTHING)))
  afterAll(async () => {
    await shop.end()
    await library.end()
  })
  journalStoreSuite(() => library.store)
})
