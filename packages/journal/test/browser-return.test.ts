import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { intentWith } from './intents.ts'
import { type Answer, shopProcess, statusReply } from './shop-process.ts'

/** A customer comes back while the gateway is silent; it answers when it is told to. */
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
  test('while the gateway is silent waits 10 seconds, and its answer is written when it comes', async () => {
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

  test('hears at once what the gateway answers, and leaves no timer', async () => {
    const { clock, tell, view } = await customerBack()
    await clock.goOn(100)
    tell()
    expect(await view).toMatchObject({ shown: 'approved' })
    expect(clock.timers()).toBe(0)
  })
})
