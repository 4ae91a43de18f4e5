import type { Intent } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { type Answer, shopProcess, statusReply } from '../shop-process.ts'

/** A customer comes back while the gateway is silent. It answers after `tell`. */
async function customerBack() {
  const clock = handClock()
  const store = memoryJournalStore()
  await store.insert(intentWith({ state: 'ACCEPTED', clientOrderId: 'order-a', orderId: '9' }))
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  const answer: Answer = async (_operation, request) => {
    await told
    return statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
  }
  const { journal } = shopProcess({ store, clock, answer })
  return { clock, store, journal, tell, view: journal.browserReturn('order-a') }
}

describe('A customer who comes back', () => {
  test('waits 10 seconds while the gateway does not answer, and its later answer is written', async () => {
    const { clock, store, journal, tell, view } = await customerBack()
    const seen = view.then(({ shown }) => [shown, clock.now()])
    const start = clock.now()
    await clock.goOn(60_000)
    expect(await seen).toEqual(['pending', start + 10_000])
    const closing = journal.close()
    tell()
    await closing
    expect(await store.find('intent-1')).toMatchObject({ state: 'FINAL', status: 'approved' })
  })

  test('sees at once what the gateway answers, and leaves no timer', async () => {
    const { clock, tell, view } = await customerBack()
    await clock.goOn(100)
    tell()
    expect(await view).toMatchObject({ shown: 'approved' })
    expect(clock.timers()).toBe(0)
  })
})

test('A status check for a customer who comes back leaves the lease of the payment as it is', async () => {
  const clock = handClock()
  const store = memoryJournalStore()
  const held = { leaseOwner: 'another', leaseUntil: clock.now() + 8000 }
  await store.insert(intentWith({ ...held, createdAt: clock.now(), state: 'ACCEPTED', orderId: '9' }))
  const answer: Answer = async (_operation, request) =>
    statusReply(request, { status: 'processing', amount: '10.42', currency: 'USD' })
  const { journal } = shopProcess({ store, clock, answer })
  expect(await journal.browserReturn('order-a')).toMatchObject({ shown: 'pending' })
  expect(await store.find('intent-1')).toMatchObject({ ...held, lookedAt: clock.now() })
})

test('Many customers who come back at once cause one status check', async () => {
  const clock = handClock()
  const store = memoryJournalStore()
  await store.insert(intentWith({ createdAt: clock.now(), state: 'ACCEPTED', clientOrderId: 'order-a', orderId: '9' }))
  let asked = 0
  const answer: Answer = async (_operation, request) => {
    asked++
    await new Promise(setImmediate)
    return statusReply(request, { status: 'processing', amount: '10.42', currency: 'USD' })
  }
  const { journal } = shopProcess({ store, clock, answer })
  const comeBack = () => Promise.all(Array.from({ length: 50 }, () => journal.browserReturn('order-a')))
  expect((await comeBack()).map(({ shown }) => shown)).toEqual(Array(50).fill('pending'))
  expect(asked).toBe(1)
  await clock.goOn(2000)
  await comeBack()
  expect(asked).toBe(2)
})

describe('What a customer who comes back is shown', () => {
  /** The view of an order whose payment is in this state, and how often its status was checked. */
  async function shown(changes: Partial<Intent>, status: Readonly<Record<string, string>> = { status: 'processing' }) {
    const clock = handClock()
    const store = memoryJournalStore()
    await store.insert(intentWith({ createdAt: clock.now(), orderId: '9', ...changes }))
    let asked = 0
    const answer: Answer = async (_operation, request) => {
      asked++
      return statusReply(request, { amount: '10.42', currency: 'USD', ...status })
    }
    const { journal } = shopProcess({ store, clock, answer })
    const view = await journal.browserReturn('order-a')
    return { view, clock, journal, asked: () => asked }
  }

  test.each([
    ['approved', 'approved'],
    ['declined', 'declined'],
    ['filtered', 'declined'],
    ['error', 'declined'],
    ['processing', 'pending'],
  ])('is what a status check says now: %s', async (status, expected) => {
    const { view, asked } = await shown({ state: 'ACCEPTED' }, { status })
    expect([view.shown, view.businessKey, asked()]).toEqual([expected, 'invoice 77', 1])
    expect(view.intent).toMatchObject({ intentId: 'intent-1', clientOrderId: 'order-a' })
  })

  test.each([
    ['approved', { state: 'FINAL', status: 'approved' }, 'approved'],
    ['declined', { state: 'FINAL', status: 'declined' }, 'declined'],
    ['being sent', { state: 'SENDING', nextCheckAt: 8000 }, 'pending'],
    ['not sent yet', { state: 'PREPARED' }, 'pending'],
    ['in review', { state: 'REVIEW' }, 'pending'],
  ] as const)('is what is known, without a status check, if the payment is %s', async (_what, changes, expected) => {
    const { view, asked } = await shown(changes)
    expect([view.shown, asked()]).toEqual([expected, 0])
    expect(view.intent).toMatchObject(changes)
  })

  test('is what was seen a moment ago: the status is checked at most once in two seconds', async () => {
    const { clock, journal, asked } = await shown({ state: 'ACCEPTED' })
    await clock.goOn(1999)
    expect([(await journal.browserReturn('order-a')).shown, asked()]).toEqual(['pending', 1])
    await clock.goOn(1)
    expect([(await journal.browserReturn('order-a')).shown, asked()]).toEqual(['pending', 2])
  })

  test('is nothing about an order that no payment of this journal made, even if one of its returns names it', async () => {
    const { view, journal } = await shown({ kind: 'modification', operation: 'return', state: 'ACCEPTED' })
    expect(view).toEqual({ shown: 'unknown-order' })
    expect(await journal.browserReturn(undefined)).toEqual({ shown: 'unknown-order' })
    expect(await journal.browserReturn('order-b')).toEqual({ shown: 'unknown-order' })
  })
})
