import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../../../src/index.ts'
import { journalStoreSuite } from '../suite.ts'

describe('The journal in memory', () => {
  journalStoreSuite(memoryJournalStore)

  test('says that it is not durable', () => {
    expect(memoryJournalStore().durable).toBe(false)
  })
})
