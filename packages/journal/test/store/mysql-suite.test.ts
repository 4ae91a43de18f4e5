import { createPool, type Pool } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { mysql2JournalStore } from '../../src/mysql2.ts'
import { describeMariaDb, mariaDb } from './mariadb.ts'
import { journalStoreSuite } from './suite.ts'

describeMariaDb('The journal on mysql2 does what every store does:', () => {
  const { fresh } = mariaDb()
  let pool: Pool
  let store: ReturnType<typeof mysql2JournalStore>
  beforeAll(async () => {
    pool = createPool({ uri: await fresh() })
    store = mysql2JournalStore(pool)
    await store.counts()
  })
  afterEach(async () => {
    for (const name of ['outcomes', 'intents', 'orphan_orders', 'gateway_answers'])
      await pool.query(`delete from journal_${name}`)
  })
  afterAll(() => pool.end())
  journalStoreSuite(() => store)
})
