import { describe } from 'vitest'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { storeSuite } from './suite.ts'

describe('in memory', () => {
  storeSuite(async () => {
    const store = memoryStore()
    return { store, again: async () => store, end: () => store.close() }
  })
})
