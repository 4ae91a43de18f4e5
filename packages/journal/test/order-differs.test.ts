import { expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { rebill, replied, shopProcess, statusReply } from './shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }

/** A charge that was acknowledged as order 9, a minute later. Its status names the order of `orderIdOf`. */
async function chargeAfterAMinute(orderIdOf: (asked: URLSearchParams) => string) {
  const clock = handClock()
  const events: string[] = []
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    answer: async (operation, request) => {
      if (operation !== 'status') return replied({ type: 'async-response', 'paynet-order-id': '9' })
      const named = { 'paynet-order-id': orderIdOf(new URLSearchParams(request.body)) }
      return statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD', ...named })
    },
    onEvent: ({ type }) => void events.push(type),
  })
  await journal.pay(KEY, 'makeRebill', rebill)
  await clock.goOn(60_000)
  await journal.settled()
  const [charge] = await journal.attempts(KEY)
  const settle = async () =>
    await journal.resolveReview(charge?.intentId ?? '', 'nothing-charged', 'order 8 is not ours')
  return { journal, charge, events, settle }
}

test('A charge whose status names another order than its reply did goes to review at once', async () => {
  const { charge, events } = await chargeAfterAMinute(() => '8')
  expect(charge).toMatchObject({ state: 'REVIEW', reviewReason: 'ORDER_DIFFERS', orderId: '9' })
  expect(events).toEqual(['REVIEW'])
})

test('It is followed by the next attempt, if the operator says that nothing was charged', async () => {
  const { journal, events, settle } = await chargeAfterAMinute(() => '8')
  await settle()
  expect(await journal.pay(KEY, 'makeRebill', rebill, { attempt: 2 })).toMatchObject({ outcome: 'accepted' })
  expect(events).toEqual(['REVIEW'])
})

test('A charge beside a second order under its id is decided by its own order', async () => {
  const { charge } = await chargeAfterAMinute((asked) => asked.get('orderid') ?? '8')
  expect(charge).toMatchObject({ state: 'FINAL', status: 'approved', orderId: '9' })
})
