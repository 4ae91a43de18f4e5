import type { Exchange } from '@tallystick/client'
import type { IntentChange } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from './shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }

/** Takes the charge, and approves it. */
const approving: Answer = async (operation, request) =>
  operation === 'status'
    ? statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
    : replied({ type: 'async-response', 'paynet-order-id': '9' })

function shop(answer: Answer = approving) {
  const clock = handClock()
  const told: string[] = []
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    answer,
    handler: async ({ outcome }) => {
      await new Promise(setImmediate)
      told.push(outcome.status)
    },
  })
  return { clock, journal, told }
}

describe('The journal is settled', () => {
  test('when a callback has come and its outcome was delivered, started or not', async () => {
    for (const isStarted of [false, true]) {
      const { journal, told } = shop()
      if (isStarted) journal.start()
      const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
      await journal.inbox.receive({ status: 'approved', clientOrderId: intent.clientOrderId, orderId: '9' })
      await journal.settled()
      expect([told, (await journal.report()).counts]).toEqual([['approved'], { FINAL: 1 }])
      await journal.close()
    }
  })

  test('even if a status check is due later, which is done once the clock has gone on', async () => {
    const { clock, journal, told } = shop()
    await journal.pay(KEY, 'makeRebill', rebill)
    await journal.settled()
    expect([told, (await journal.report()).counts]).toEqual([[], { ACCEPTED: 1 }])
    await clock.goOn(5000)
    await journal.settled()
    expect(told).toEqual(['approved'])
  })

  test('not while a handler fails: it throws what the handler threw, until that has taken the outcome', async () => {
    const clock = handClock()
    const failure = new Error('no such table: paid')
    const left = [failure]
    const { journal } = shopProcess({
      store: memoryJournalStore(),
      clock,
      answer: approving,
      handler: () => {
        const next = left.shift()
        if (next !== undefined) throw next
      },
    })
    const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
    await journal.inbox.receive({ status: 'approved', clientOrderId: intent.clientOrderId, orderId: '9' })
    const settled = journal.settled()
    await expect(settled).rejects.toThrow(
      /^the handler of \S+ failed, and is called again later: .*no such table: paid$/,
    )
    await expect(settled).rejects.toMatchObject({ cause: failure })
    await clock.goOn(5000)
    await expect(journal.settled()).resolves.toBeUndefined()
    await journal.close()
  })

  test('once payments under way have ended', async () => {
    const taken = Promise.withResolvers<Exchange>()
    const { clock, journal } = shop((operation, request) =>
      operation === 'status' ? approving(operation, request) : taken.promise,
    )
    const paying = journal.pay(KEY, 'makeRebill', rebill)
    let isSettled = false
    const settled = journal.settled().then(() => {
      isSettled = true
    })
    await clock.goOn(1000)
    expect(isSettled).toBe(false)
    taken.resolve(replied({ type: 'async-response', 'paynet-order-id': '9' }))
    await settled
    expect((await paying).outcome).toBe('accepted')
  })

  test('after a callback that was faster than its reply, whose check another turn has claimed while that was written', async () => {
    const clock = handClock()
    const told: string[] = []
    const store = memoryJournalStore()
    const { journal } = shopProcess({
      store: {
        ...store,
        update: async (...changes: readonly IntentChange[]) => {
          const isWritten = await store.update(...changes)
          if (changes.some(({ intent }) => intent.state === 'ACCEPTED')) await clock.goOn(1000)
          return isWritten
        },
      },
      clock,
      answer: async (operation, request) => {
        const clientOrderId = new URLSearchParams(request.body).get('client_orderid') ?? ''
        if (operation !== 'status') await journal.inbox.receive({ status: 'approved', clientOrderId, orderId: '9' })
        return await approving(operation, request)
      },
      handler: ({ outcome }) => void told.push(outcome.status),
    })
    journal.start()
    await journal.pay(KEY, 'makeRebill', rebill)
    await journal.settled()
    expect(told).toEqual(['approved'])
    await journal.close()
  })

  test('after a callback that came while it looked for outcomes', async () => {
    const clock = handClock()
    const told: string[] = []
    const store = memoryJournalStore()
    let comes = async () => {}
    const { journal } = shopProcess({
      store: {
        ...store,
        openOutcomes: async (...asked) => {
          const found = await store.openOutcomes(...asked)
          await comes()
          return found
        },
      },
      clock,
      answer: approving,
      handler: async ({ outcome }) => {
        await new Promise(setImmediate)
        told.push(outcome.status)
      },
    })
    journal.start()
    const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
    comes = async () => {
      comes = async () => {}
      await journal.inbox.receive({ status: 'approved', clientOrderId: intent.clientOrderId, orderId: '9' })
      await clock.goOn(0)
    }
    await journal.settled()
    expect(told).toEqual(['approved'])
    await journal.close()
  })

  test('at once, if nothing was ever paid', async () => {
    await expect(shop().journal.settled()).resolves.toBeUndefined()
  })
})

test('A payment whose callback was faster than its reply is checked at once, not at the next poll', async () => {
  const clock = handClock()
  const told: string[] = []
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    answer: async (operation, request) => {
      const clientOrderId = new URLSearchParams(request.body).get('client_orderid') ?? ''
      if (operation !== 'status') await journal.inbox.receive({ status: 'approved', clientOrderId, orderId: '9' })
      return await approving(operation, request)
    },
    handler: ({ outcome }) => void told.push(outcome.status),
  })
  journal.start()
  await journal.pay(KEY, 'makeRebill', rebill)
  await clock.goOn(0)
  expect(told).toEqual(['approved'])
  await journal.close()
})
