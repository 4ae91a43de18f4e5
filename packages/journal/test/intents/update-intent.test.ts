import { expect, test } from 'vitest'
import { memoryJournalStore } from '../../src/index.ts'
import { updateIntent } from '../../src/intents/states.ts'
import { intentWith, written } from '../intents.ts'

test('The change is based on what a faster process has written', async () => {
  const store = memoryJournalStore()
  await store.insert(intentWith())
  const seen: number[] = []
  await updateIntent(store, 'intent-1', async (intent) => {
    seen.push(intent.version)
    if (seen.length === 1) await store.update({ intent: written(intent, { sends: 1 }), outcomes: [] })
    return [{ intent: written(intent, { state: 'SENDING' }), outcomes: [] }] as const
  })
  expect(seen).toEqual([1, 2])
  expect(await store.find('intent-1')).toMatchObject({ version: 3, sends: 1, state: 'SENDING' })
})

test('If others write before each try, it gives up after a hundred and says so', async () => {
  const store = memoryJournalStore()
  await store.insert(intentWith())
  let tries = 0
  const given = updateIntent({ ...store, update: async () => false }, 'intent-1', (intent) => {
    tries++
    return [{ intent, outcomes: [] }] as const
  })
  await expect(given).rejects.toThrow('Other processes keep changing the intent')
  expect(tries).toBe(100)
})
