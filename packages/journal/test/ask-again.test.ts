import { expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { intentWith } from './intents.ts'
import { shopProcess } from './shop-process.ts'

test('After ask-again an intent in review starts over: absences counted before prove nothing', async () => {
  const clock = handClock()
  const store = memoryJournalStore()
  const inReview = { state: 'REVIEW', reviewReason: 'TOO_OLD', absences: 5, firstAbsenceAt: 1 } as const
  await store.insert(intentWith(inReview))
  const { journal } = shopProcess({ store, clock, answer: () => Promise.reject(new Error('nothing is asked yet')) })
  const intent = await journal.resolveReview('intent-1', 'ask-again', 'the gateway was fixed')
  expect(intent).toMatchObject({ state: 'UNKNOWN', absences: 0, nextCheckAt: clock.now() })
  expect([intent.firstAbsenceAt, intent.reviewReason]).toEqual([undefined, undefined])
  expect(intent.evidence).toMatchObject([{ at: clock.now(), seen: 'ask-again: the gateway was fixed' }])
  const settled = journal.resolveReview('intent-1', 'nothing-charged', 'once more')
  await expect(settled).rejects.toThrow('The intent intent-1 is not in review: it is UNKNOWN')
})
