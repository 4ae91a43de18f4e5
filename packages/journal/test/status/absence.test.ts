import type { Exchange } from '@tallystick/client'
import type { Intent } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { replied, shopProcess, statusReply } from '../shop-process.ts'

const HOUR = 60 * 60_000
const NO_SUCH_ORDER = replied({ type: 'validation-error', 'error-code': '2', 'error-message': 'no such order' })
const NO_ANSWER: Exchange = { kind: 'lost', seen: 'there was no reply' }
const AT = { endpointId: '253' }

/**
 * A payment that was absent for an hour and is due now, beside one that the same endpoint showed an hour ago. Gives its state
 * after the status check, and which orders were checked.
 */
async function lookedAt(changes: Partial<Intent>, ofTheOther: Exchange | 'approved') {
  const clock = handClock()
  const store = memoryJournalStore()
  const before = clock.now() - HOUR
  const times = { createdAt: before, sentAt: before, lookedAt: before }
  const observed = { status: 'approved', transactionType: 'sale', amount: '1042' }
  const known = {
    ...AT,
    ...times,
    state: 'FINAL',
    status: 'approved',
    orderId: '9',
    observed,
    holdsKey: false,
  } as const
  await store.insert(intentWith(known))
  const lost = { ...AT, ...times, intentId: '2', businessKey: 'invoice 78', clientOrderId: 'order-b' }
  const absent = { state: 'UNKNOWN', absences: 2, firstAbsenceAt: before, nextCheckAt: clock.now() } as const
  await store.insert(intentWith({ ...lost, ...absent, ...changes }))
  const asked: (string | null)[] = []
  const { journal } = shopProcess({
    store,
    clock,
    answer: async (_operation, request) => {
      const clientOrderId = new URLSearchParams(request.body).get('client_orderid')
      asked.push(clientOrderId)
      if (clientOrderId === 'order-b') return NO_SUCH_ORDER
      return ofTheOther === 'approved' ? statusReply(request, { status: 'approved' }) : ofTheOther
    },
  })
  await journal.reconcile()
  return { state: (await store.find('2'))?.state, asked, noted: (await store.lastAnswerAt(AT)) === clock.now() }
}

describe('A payment that was absent for long enough is presumed absent', () => {
  test('when its endpoint knows another order just then', async () => {
    expect(await lookedAt({}, 'approved')).toEqual({
      state: 'PRESUMED_ABSENT',
      asked: ['order-a', 'order-b'],
      noted: true,
    })
  })

  test.each([
    ['no longer knows that order either', NO_SUCH_ORDER],
    ['does not answer for that order', NO_ANSWER],
    ['refuses to answer', replied({ type: 'error', 'error-message': 'Internal error' })],
  ])('but not when its endpoint %s', async (_what, ofTheOther) => {
    expect(await lookedAt({}, ofTheOther)).toEqual({ state: 'UNKNOWN', asked: ['order-a', 'order-b'], noted: false })
  })

  test('but not if the only known order is of another endpoint', async () => {
    expect(await lookedAt({ endpointId: '254' }, 'approved')).toMatchObject({ state: 'UNKNOWN', asked: ['order-b'] })
  })
})

test.each([
  ['was not absent often enough', { absences: 1 }],
  ['was not absent for long enough', { firstAbsenceAt: 1_900_000_000_000 - 14 * 60_000 }],
  ['was acknowledged', { state: 'ACCEPTED', orderId: '5' }],
  ['is presumed absent already', { state: 'PRESUMED_ABSENT' }],
  ['is a return, which the change of its order decides', { kind: 'modification', operation: 'return', orderId: '5' }],
] as const)('Another order is not asked for on behalf of one that %s', async (_what, changes) => {
  expect((await lookedAt(changes, 'approved')).asked).toEqual(['order-b'])
})

test('An answer of an endpoint about an order is noted at most once in half a minute', async () => {
  const clock = handClock()
  const store = memoryJournalStore()
  const open = { ...AT, state: 'ACCEPTED', orderId: '9', createdAt: clock.now() } as const
  await store.insert(intentWith(open))
  const { journal } = shopProcess({
    store,
    clock,
    answer: async (_operation, request) => statusReply(request, { status: 'processing' }),
  })
  const began = clock.now()
  const notedAfter = async (milliseconds: number) => {
    await clock.goOn(milliseconds)
    await journal.inbox.receive({ clientOrderId: 'order-a', orderId: '9', status: 'approved' })
    await clock.goOn(2000)
    await journal.reconcile()
    return ((await store.lastAnswerAt(AT)) ?? 0) - began
  }
  expect([await notedAfter(0), await notedAfter(25_999), await notedAfter(1)]).toEqual([2000, 2000, 32_000])
})
