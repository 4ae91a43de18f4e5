import type { Intent } from '@tallystick/client/ports'
import type { ReplyValues } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore, sqliteJournalStore } from '../../src/index.ts'
import { decideStatus, takeStatus } from '../../src/status/decide.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from '../shop-process.ts'
import { circumstances, foundSale, lostReturn } from './looks.ts'

const REASON = { errorCode: '116', errorMessage: 'Not sufficient funds' }
const decide = (intent: Intent, status: Partial<ReplyValues<'status'>>) =>
  decideStatus(intent, foundSale({ ...REASON, ...status }), circumstances(1))
const sale = (changes: Partial<Intent> = {}) => intentWith({ state: 'UNKNOWN', sentAt: 0, ...changes })

describe('Why a payment came to nothing', () => {
  test.for(['declined', 'filtered', 'error'])('is in its outcome and its intent, if it is %s', (status) => {
    const { intent, outcomes } = decide(sale(), { status })
    expect(outcomes).toMatchObject([{ status, ...REASON }])
    expect(intent.observed).toMatchObject(REASON)
  })

  test('holds no card number and no CVV that the gateway quotes, and is limited in length', () => {
    const errorMessage = `refused: credit_card_number=4444555566661111&cvv2=7391 ${'x'.repeat(1000)}`
    const { intent, outcomes } = decide(sale(), { status: 'declined', errorCode: '4444555566661111', errorMessage })
    const stored = JSON.stringify([intent, outcomes])
    expect(stored).not.toContain('4444555566661111')
    expect(stored).not.toContain('7391')
    expect(outcomes[0]?.errorMessage).toHaveLength(500)
  })

  test('is reported when an operator takes the status', () => {
    const { intent } = decide(sale(), { status: 'declined', amount: '9.99', initialAmount: '9.99' })
    expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS' })
    expect(takeStatus(intent, circumstances(2))?.outcomes).toMatchObject([{ status: 'declined', ...REASON }])
  })

  test.for([
    ['the payment itself', { status: 'approved' }],
    ['a return of it that was declined since', { status: 'declined', transactionType: 'reversal' }],
  ] as const)(
    'is not in the outcome of an approved payment, even if its status shows a reason, of %s',
    ([, status]) => {
      const [outcome, ...notices] = decide(sale(), status).outcomes
      expect(outcome).toMatchObject({ status: 'approved' })
      expect(outcome).not.toHaveProperty('errorMessage')
      expect(notices).toMatchObject(
        status.status === 'declined' ? [{ kind: 'notice', status: 'declined', ...REASON }] : [],
      )
    },
  )

  test('is in the outcome of a return that was declined', () => {
    const before = { status: 'approved', transactionType: 'sale', amount: '1042' }
    const declined = { status: 'declined', transactionType: 'reversal' }
    const { intent, outcomes } = decide(lostReturn({ before }), declined)
    expect(outcomes).toMatchObject([{ kind: 'outcome', operation: 'return', ...declined, ...REASON }])
    expect(intent.observed).toMatchObject(REASON)
  })

  test('is in the notice of a payout check that was not paid in time', () => {
    const observed = { status: 'processing', transactionType: 'payout', orderStage: 'payout_checked', amount: '1042' }
    const checked = sale({ operation: 'payoutCheck', state: 'FINAL', status: 'checked', orderId: '1', observed })
    const { outcomes } = decide(checked, { status: 'declined', transactionType: 'payout' })
    expect(outcomes).toMatchObject([{ kind: 'notice', status: 'declined', ...REASON }])
  })
})

describe('Why a charge was declined', () => {
  const path = ownFolder()
  const KEY = { profile: 'subscription 12', period: '2026-11' }
  const answer: Answer = async (operation, request) =>
    operation === 'status'
      ? statusReply(request, {
          status: 'declined',
          amount: '10.42',
          currency: 'USD',
          'error-code': '116',
          'error-message': 'Not sufficient funds',
        })
      : replied({ type: 'async-response', 'paynet-order-id': '9' })

  test.for([
    ['in memory', memoryJournalStore],
    ['in a file', () => sqliteJournalStore({ file: path('shop.db') })],
  ] as const)('is told to the handler, and by pay from then on: %s', async ([, open]) => {
    const clock = handClock()
    const told: unknown[] = []
    const { journal } = shopProcess({
      store: open(),
      isCertain: true,
      clock,
      answer,
      handler: ({ outcome }) => void told.push(outcome),
    })
    await journal.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(5000)
    await journal.settled()
    expect(told).toMatchObject([{ status: 'declined', ...REASON }])
    const again = { outcome: 'final', intent: { status: 'declined', observed: REASON } }
    expect(await journal.pay(KEY, 'makeRebill', rebill)).toMatchObject(again)
    await journal.close()
  })

  test('is still known to a process that starts later', async () => {
    const clock = handClock()
    const store = () => sqliteJournalStore({ file: path('shop.db') })
    const first = shopProcess({ store: store(), isCertain: true, clock, answer }).journal
    await first.pay(KEY, 'makeRebill', rebill)
    await clock.goOn(5000)
    await first.reconcile()
    await first.close()
    const told: unknown[] = []
    const handler = ({ outcome }: { readonly outcome: unknown }) => void told.push(outcome)
    const second = shopProcess({ store: store(), clock, answer, handler }).journal
    expect(await second.attempts(KEY)).toMatchObject([{ status: 'declined', observed: REASON }])
    await second.reconcile()
    expect(told).toMatchObject([{ status: 'declined', ...REASON }])
    await second.close()
  })
})
