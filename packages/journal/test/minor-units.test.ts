import { expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from './shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }
const dinars = { ...rebill, amount: '123.456', currency: 'KWD' }

/** A shop whose client has the decimals of ISO 4217, at a gateway that loses the replies to returns. */
function shop(status: Readonly<Record<string, string>>) {
  const clock = handClock()
  const answer: Answer = async (operation, request) => {
    if (operation === 'return') return { kind: 'lost', seen: 'the connection was reset' }
    return operation === 'status'
      ? statusReply(request, { status: 'approved', ...status })
      : replied({ type: 'async-response', 'paynet-order-id': '9' })
  }
  const { journal } = shopProcess({ store: memoryJournalStore(), clock, answer, exponents: 'iso-4217' })
  journal.start()
  return { clock, journal }
}

test('A journal counts the decimals of amounts as its client does', async () => {
  const { clock, journal } = shop({ amount: '123.456', currency: 'KWD' })
  const { intent } = await journal.pay(KEY, 'makeRebill', dinars)
  expect(intent.amounts).toEqual(['123456'])
  await clock.goOn(5000)
  expect(await journal.attempts(KEY)).toMatchObject([{ state: 'FINAL', status: 'approved' }])
  const part = {
    clientOrderId: intent.clientOrderId,
    orderId: '9',
    amount: '1.234',
    currency: 'KWD',
    comment: 'broken',
  }
  await journal.pay('refund 1', 'return', part)
  await clock.goOn(40 * 60_000)
  expect(await journal.attempts('refund 1')).toMatchObject([{ state: 'REVIEW', reviewReason: 'PART_UNCHANGED' }])
  await journal.close()
})

test.each([
  ['another amount', { amount: '123.457', currency: 'KWD' }],
  ['another currency', { amount: '123.456', currency: 'BHD' }],
])('A status of %s with three decimals goes to review', async (_what, status) => {
  const { clock, journal } = shop(status)
  await journal.pay(KEY, 'makeRebill', dinars)
  await clock.goOn(5000)
  expect(await journal.attempts(KEY)).toMatchObject([{ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS' }])
  await journal.close()
})

test('A status that names no currency after a full return is read in the one that it named before', async () => {
  let shown: Readonly<Record<string, string>> = { amount: '1000', 'initial-amount': '1000', currency: 'JPY' }
  const clock = handClock()
  const answer: Answer = async (operation, request) => {
    if (operation === 'status') return statusReply(request, { status: 'approved', ...shown })
    return replied({ type: 'async-response', 'paynet-order-id': '9' })
  }
  const { journal } = shopProcess({ store: memoryJournalStore(), clock, answer, exponents: 'iso-4217' })
  journal.start()
  const { intent } = await journal.pay(KEY, 'makeRebill', { ...rebill, amount: '1000', currency: 'JPY' })
  await clock.goOn(5000)
  await journal.pay('refund 1', 'return', { clientOrderId: intent.clientOrderId, orderId: '9', comment: 'broken' })
  shown = { amount: '0', 'initial-amount': '1000', 'transaction-type': 'reversal' }
  await clock.goOn(5000)
  expect(await journal.attempts('refund 1')).toMatchObject([{ state: 'FINAL', status: 'approved' }])
  await journal.close()
})
