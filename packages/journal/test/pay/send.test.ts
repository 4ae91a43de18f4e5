import type { Exchange } from '@tallystick/client'
import type { Intent } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { type JournalOptions, memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from '../shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }
const ACKNOWLEDGED = replied({ type: 'async-response', 'serial-number': 's-1', 'paynet-order-id': '9' })
const STORED = replied({ type: 'async-response', 'card-ref-id': '77' })
const LOST: Exchange = { kind: 'lost', seen: 'the connection was reset' }
const order = { clientOrderId: 'order-a', orderId: '9' }

function shop(answer: Answer, options: Pick<JournalOptions<undefined>, 'deadlineMs' | 'onEvent'> = {}) {
  const store = memoryJournalStore()
  const clock = handClock()
  return { store, clock, ...shopProcess({ ...options, store, clock, answer }) }
}

test('An accepted result has the reply, which the customer of a form needs', async () => {
  const { journal } = shop(async () => ACKNOWLEDGED)
  const paid = await journal.pay(KEY, 'makeRebill', rebill)
  expect(paid).toMatchObject({ outcome: 'accepted', reply: { orderId: '9', serialNumber: 's-1' } })
})

test.each([
  [{}, 70_000],
  [{ deadlineMs: 90_000 }, 90_000],
])('An intent that is sent has the deadline after which it may count as absent: %j', async (options, deadlineMs) => {
  const times: unknown[] = []
  const { journal } = shop(async (_operation, _request, timeoutMs) => {
    times.push(timeoutMs)
    return ACKNOWLEDGED
  }, options)
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  expect([intent.deadlineMs, times]).toEqual([deadlineMs, [deadlineMs]])
})

test('An order is asked for by both of its ids before it is changed', async () => {
  const asked: URLSearchParams[] = []
  const { journal } = shop(async (operation, request) => {
    if (operation !== 'status') return ACKNOWLEDGED
    asked.push(new URLSearchParams(request.body))
    return statusReply(request, { status: 'approved', amount: '10.42' })
  })
  await journal.pay('refund 1', 'return', { ...order, amount: '1.00', currency: 'USD', comment: 'broken' })
  expect(asked.map((names) => [names.get('client_orderid'), names.get('orderid')])).toEqual([['order-a', '9']])
})

test('What the client refuses to sign was not sent, and says why', async () => {
  const { journal } = shop(async () => ACKNOWLEDGED)
  const money = { amount: '10.42', currency: 'USD' }
  const paid = await journal.pay('payout 1', 'payoutCheck', { ...money, cardNumber: '4444555566661111' })
  expect(paid).toMatchObject({
    outcome: 'notSent',
    intent: { state: 'NOT_SENT' },
    error: {
      code: 'NOT_SENT',
      clientOrderId: paid.intent.clientOrderId,
      message: expect.stringContaining('privateKey'),
    },
  })
})

test('A stored card whose reply was lost goes to review: it has no status to ask for', async () => {
  const heard: string[] = []
  const { journal } = shop(async () => LOST, { onEvent: ({ type }) => void heard.push(type) })
  expect(await journal.pay('card 1', 'createCardRef', order)).toMatchObject({ outcome: 'review' })
  expect(heard).toEqual(['REVIEW'])
})

test('The result of one sending is not written for another, even if the same process has sent the intent again', async () => {
  const { store, journal, clock } = shop(async () => {
    const [sending] = await store.inStates(['SENDING'], 1)
    if (sending === undefined) throw new Error('nothing is being sent')
    await store.update({ intent: { ...sending, sends: 2, version: sending.version + 1 }, outcomes: [] })
    return { kind: 'not-sent', seen: 'the connection was refused' }
  })
  const paid = journal.pay(KEY, 'makeRebill', rebill)
  await clock.goOn(8200)
  const { outcome, intent } = await paid
  expect([outcome, intent.state, intent.sends]).toEqual(['unknown', 'SENDING', 2])
})

describe('For a payment that others took over while it was being sent', () => {
  /** The result, and the intent in the store, after it was left so by others while the gateway answered. */
  async function takenOver(changes: Partial<Intent>, reply: Exchange, isCard = false) {
    const { store, journal } = shop(async () => {
      const [sending] = isCard ? await store.attemptsOf('card 1') : await store.inStates(['SENDING'], 1)
      if (sending === undefined) throw new Error('nothing is being sent')
      const free = { leaseOwner: undefined, leaseUntil: undefined, version: sending.version + 1 }
      await store.update({ intent: { ...sending, ...free, ...changes }, outcomes: [] })
      return reply
    })
    const result = isCard
      ? await journal.pay('card 1', 'createCardRef', order)
      : await journal.pay(KEY, 'makeRebill', rebill)
    return { result, intent: await store.find(result.intent.intentId) }
  }

  test.each([
    ['counts as lost', { state: 'UNKNOWN' }],
    ['is presumed absent', { state: 'PRESUMED_ABSENT', holdsKey: false }],
    ['is being sent, as they see it', { state: 'SENDING', leaseOwner: 'other', leaseUntil: 5 }],
  ] as const)('the acceptance is written if it %s; their lease stays', async (_what, changes) => {
    const { result, intent } = await takenOver(changes, ACKNOWLEDGED)
    expect(result).toMatchObject({ outcome: 'accepted', reply: { orderId: '9' } })
    expect(intent).toMatchObject({ ...changes, state: 'ACCEPTED', orderId: '9', serialNumber: 's-1' })
  })

  test('the reference of a card that went to review for its lost reply is written', async () => {
    const { result, intent } = await takenOver({ state: 'REVIEW', reviewReason: 'NO_STATUS' }, STORED, true)
    expect(result).toMatchObject({ outcome: 'final', reply: { cardRefId: '77' } })
    expect(intent).toMatchObject({ state: 'FINAL', reference: '77' })
  })

  test.each([
    ['is in review for another reason', { state: 'REVIEW', reviewReason: 'ORDER_DIFFERS' }, ACKNOWLEDGED, 'review'],
    ['has ended', { state: 'FINAL', status: 'declined' }, ACKNOWLEDGED, 'final'],
    ['counts as lost, and no reply came', { state: 'UNKNOWN' }, LOST, 'unknown'],
  ] as const)('nothing is written if it %s', async (_what, changes, reply, outcome) => {
    const { result, intent } = await takenOver(changes, reply)
    expect([result.outcome, intent?.state, intent?.version]).toEqual([outcome, changes.state, 3])
    expect(intent?.orderId).toBeUndefined()
  })
})
