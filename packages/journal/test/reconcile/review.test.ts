import type { JournalOutcome } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from '../shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }

/** A shop that lost the reply to a charge, whose status shows another amount. */
async function shopInReview(status: Readonly<Record<string, string>>) {
  const clock = handClock()
  const charged: string[] = []
  const told: JournalOutcome[] = []
  const events: string[] = []
  const answer: Answer = async (operation, request) => {
    if (operation === 'status') {
      return statusReply(request, { 'initial-amount': '12.00', amount: '12.00', currency: 'USD', ...status })
    }
    charged.push(operation)
    return charged.length === 1
      ? { kind: 'lost', seen: 'the connection was reset' }
      : replied({ type: 'async-response', 'paynet-order-id': '10' })
  }
  const store = memoryJournalStore()
  const { journal } = shopProcess({
    store,
    clock,
    answer,
    handler: ({ outcome }) => void told.push(outcome),
    onEvent: ({ type }) => void events.push(type),
  })
  await journal.pay(KEY, 'makeRebill', rebill)
  await clock.goOn(5000)
  await journal.settled()
  const [inReview = intentWith()] = await journal.attempts(KEY)
  const settle = async (decision: 'take-status' | 'nothing-charged') => {
    const intent = await journal.resolveReview(inReview.intentId, decision, 'the gateway says so')
    await journal.settled()
    return intent
  }
  return { journal, store, charged, told, events, inReview, settle }
}

describe('A payment in review because another amount was charged', () => {
  test('names the order at the gateway, even if its reply was lost', async () => {
    const { inReview } = await shopInReview({ status: 'approved' })
    expect(inReview).toMatchObject({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS', orderId: '9' })
  })

  test('keeps its key if the status that is taken shows a declined reversal', async () => {
    const { journal, charged, told, settle } = await shopInReview({
      'transaction-type': 'reversal',
      status: 'declined',
    })
    expect(await settle('take-status')).toMatchObject({ state: 'FINAL', status: 'approved' })
    expect(told[0]).toMatchObject({ kind: 'outcome', status: 'approved', orderId: '9', amount: '1200' })
    expect(await journal.pay(KEY, 'makeRebill', rebill, { attempt: 2 })).toMatchObject({ outcome: 'final' })
    expect(charged).toHaveLength(1)
  })

  test('is paid by the next attempt if an operator says that nothing was charged, and the status stays as it was', async () => {
    const { journal, charged, events, settle } = await shopInReview({ status: 'approved' })
    expect(await settle('nothing-charged')).toMatchObject({ state: 'PRESUMED_ABSENT' })
    expect(await journal.pay(KEY, 'makeRebill', rebill, { attempt: 2 })).toMatchObject({ outcome: 'accepted' })
    expect(charged).toHaveLength(2)
    expect(events).toEqual(['REVIEW'])
  })

  test('has a status, and no reference that an operator could name', async () => {
    const { journal, inReview } = await shopInReview({ status: 'approved' })
    await expect(journal.resolveReview(inReview.intentId, { reference: '9' }, 'a note')).rejects.toThrow(
      'makes no reference, but has a status',
    )
  })

  test('is a suspected double charge if its status is taken and another attempt was approved', async () => {
    const { store, events, inReview, settle } = await shopInReview({ status: 'approved' })
    const other = intentWith({ intentId: 'another', state: 'FINAL', status: 'approved', attempt: 2, holdsKey: false })
    await store.insert({ ...other, businessKey: inReview.businessKey })
    await settle('take-status')
    expect(events).toEqual(['REVIEW', 'DOUBLE_CHARGE_SUSPECTED'])
  })
})

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
