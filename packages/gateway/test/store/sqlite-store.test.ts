import { describe } from 'vitest'
import { sqliteFile } from './sqlite-file.ts'
import { storeSuite } from './suite.ts'

describe('in SQLite', () => {
  storeSuite(async () => sqliteFile().open())
})

describe('in SQLite, with every order read from the file', () => {
  storeSuite(async () => sqliteFile().open({ cachedOrders: 0 }))
})
