import type { Exchange } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from '../shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }
const REFUSED = replied({ type: 'validation-error', 'error-message': 'The endpoint is closed', 'error-code': '1' })
const NO_ORDER = replied({ type: 'validation-error', 'error-message': 'There is no order', 'error-code': '2' })
const NOT_SENT: Exchange = { kind: 'not-sent', seen: 'the connection was refused' }

/** What becomes of a charge: it is refused at once, never leaves, or has this status. */
type Fate = 'refused' | 'notSent' | 'processing' | 'approved' | 'declined' | 'filtered' | 'error'

/** Two processes of a shop on one store, and a gateway where each charge has its fate, one after the other. */
function twoShops(...fates: readonly Fate[]) {
  const clock = handClock()
  const asked: string[] = []
  const charges = new Map<string, { readonly status: Fate; readonly amount: string }>()
  let answersAfterMs = 0
  const answer: Answer = async (operation, request) => {
    const fields = new URLSearchParams(request.body)
    const clientOrderId = fields.get('client_orderid') ?? ''
    if (operation === 'status') {
      const charge = charges.get(clientOrderId)
      return charge === undefined ? NO_ORDER : statusReply(request, { ...charge, currency: 'USD' })
    }
    const fate = fates[asked.length] ?? 'processing'
    asked.push(clientOrderId)
    if (answersAfterMs > 0) await new Promise<void>((resolve) => void clock.schedule(answersAfterMs, resolve))
    if (fate === 'refused') return REFUSED
    if (fate === 'notSent') return NOT_SENT
    charges.set(clientOrderId, { status: fate, amount: fields.get('amount') ?? '' })
    return replied({ type: 'async-response', 'paynet-order-id': '9', 'merchant-order-id': clientOrderId })
  }
  const store = memoryJournalStore()
  const { journal } = shopProcess({ store, clock, answer, handler: () => {} })
  const { journal: another, standStill, goOn } = shopProcess({ store, clock, answer })
  const pressAt = (one: typeof journal, amount: string = rebill.amount) =>
    one.pay(KEY, 'makeRebill', { ...rebill, amount }, { attempt: 'next' })
  return {
    clock,
    asked,
    journal,
    press: (amount?: string) => pressAt(journal, amount),
    pressAtAnother: (amount?: string) => pressAt(another, amount),
    /** The other process stands still, and goes on. */
    standStill,
    goOn,
    /** The journal learns what became of what it has sent. */
    learn: async () => {
      await clock.goOn(5000)
      await journal.settled()
    },
    beSlow: (milliseconds: number) => {
      answersAfterMs = milliseconds
    },
  }
}

/** The same, after a first charge that was declined. */
async function declinedOnce(...fates: readonly Fate[]) {
  const shops = twoShops('declined', ...fates)
  await shops.press()
  await shops.learn()
  return shops
}

describe("attempt: 'next'", () => {
  test('makes the first attempt, and none while that is under way', async () => {
    const { press, pressAtAnother, learn, asked } = twoShops('processing')
    expect(await press()).toMatchObject({ outcome: 'accepted', intent: { attempt: 1 } })
    await learn()
    for (const again of [press, pressAtAnother]) {
      expect(await again()).toMatchObject({ outcome: 'accepted', intent: { attempt: 1 } })
    }
    expect(asked).toHaveLength(1)
  })

  test('makes none after one that was approved', async () => {
    const { press, learn, asked } = twoShops('declined', 'approved')
    for (let times = 0; times < 2; times++) {
      await press()
      await learn()
    }
    for (let times = 0; times < 2; times++) {
      expect(await press()).toMatchObject({ outcome: 'final', intent: { attempt: 2, status: 'approved' } })
    }
    expect(asked).toHaveLength(2)
  })

  test.for(['declined', 'filtered', 'error'] as const)('makes the one after an attempt that was %s', async (fate) => {
    const { press, learn, asked } = twoShops(fate)
    await press()
    await learn()
    expect(await press()).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
    expect(new Set(asked).size).toBe(2)
  })

  test('sends one request for each call: what is refused in it is tried again by the next call', async () => {
    const { press, asked } = twoShops('refused', 'refused', 'processing')
    for (const attempt of [1, 2]) {
      expect(await press()).toMatchObject({ outcome: 'rejected', error: { code: 'REJECTED' }, intent: { attempt } })
      expect(asked).toHaveLength(attempt)
    }
    expect(await press()).toMatchObject({ outcome: 'accepted', intent: { attempt: 3 } })
  })

  test('sends an attempt that never left five times, and the one after it by the sixth call', async () => {
    const { press, asked, journal } = twoShops('notSent', 'notSent', 'notSent', 'notSent', 'notSent', 'notSent')
    for (let sends = 1; sends <= 5; sends++) {
      expect(await press()).toMatchObject({ outcome: 'notSent', intent: { attempt: 1, sends } })
    }
    expect(await press()).toMatchObject({ outcome: 'notSent', intent: { attempt: 2, sends: 1 } })
    expect(await press()).toMatchObject({ outcome: 'accepted', intent: { attempt: 2, sends: 2 } })
    expect(asked).toHaveLength(7)
    expect(await journal.attempts(KEY)).toMatchObject([
      { state: 'REJECTED', rejection: 'given up: it never left in 5 times' },
      { state: 'ACCEPTED' },
    ])
  })

  test('may be another request after a decline, and is a conflict while the earlier one is under way', async () => {
    const { press, learn, asked } = twoShops('declined')
    await press('9.00')
    expect(await press('10.42')).toMatchObject({ outcome: 'conflict', intent: { attempt: 1, amounts: ['900'] } })
    await learn()
    expect(await press('10.42')).toMatchObject({ outcome: 'accepted', intent: { attempt: 2, amounts: ['1042'] } })
    expect(asked).toHaveLength(2)
  })

  test('sends what was prepared', async () => {
    const { journal, press, asked } = twoShops()
    await journal.prepare(KEY, 'makeRebill', rebill, undefined)
    expect(await press()).toMatchObject({ outcome: 'accepted', intent: { attempt: 1 } })
    expect(asked).toHaveLength(1)
  })
})

describe("Two calls at once for attempt: 'next'", () => {
  const fates = ['processing', 'declined', 'refused', 'notSent'] as const

  test.for(fates)('open one attempt in one process, and both callers get it: it is %s', async (fate) => {
    const { clock, press, asked, beSlow } = await declinedOnce(fate, fate)
    beSlow(100)
    const pressed = Promise.all([press(), press()])
    await clock.goOn(200)
    expect((await pressed).map(({ intent }) => intent.attempt)).toEqual([2, 2])
    // What never left is sent again by the second call.
    expect(asked).toHaveLength(fate === 'notSent' ? 3 : 2)
  })

  test.for(fates)('open one attempt in two processes: it is %s', async (fate) => {
    const { clock, press, pressAtAnother, asked, beSlow } = await declinedOnce(fate, fate)
    beSlow(100)
    const pressed = Promise.all([press(), pressAtAnother()])
    await clock.goOn(500)
    expect((await pressed).map(({ intent }) => intent.attempt)).toEqual([2, 2])
    // What never left is sent again by the second call.
    expect(asked).toHaveLength(fate === 'notSent' ? 3 : 2)
  })

  test('of different requests in two processes open one attempt, and the other is a conflict with it', async () => {
    const { press, pressAtAnother, asked } = await declinedOnce()
    const pressed = await Promise.all([press('10.40'), pressAtAnother('10.41')])
    expect(pressed.map(({ outcome }) => outcome).toSorted()).toEqual(['accepted', 'conflict'])
    expect(pressed.map(({ intent }) => intent.attempt)).toEqual([2, 2])
    expect(asked).toHaveLength(2)
  })

  test('give up an attempt that never left in five calls once, and open one attempt', async () => {
    const { clock, press, pressAtAnother, asked, journal } = twoShops(
      'notSent',
      'notSent',
      'notSent',
      'notSent',
      'notSent',
    )
    for (let sends = 1; sends <= 5; sends++) await press()
    const pressed = Promise.all([press(), pressAtAnother()])
    await clock.goOn(200)
    expect((await pressed).map(({ intent }) => intent.attempt)).toEqual([2, 2])
    expect(asked).toHaveLength(6)
    expect(await journal.attempts(KEY)).toHaveLength(2)
  })

  test('get that attempt even if it was declined before the second is answered: only a later call opens another', async () => {
    const { press, pressAtAnother, standStill, goOn, asked, learn } = await declinedOnce('declined')
    standStill()
    const pressed = pressAtAnother()
    expect(await press()).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
    await learn()
    goOn()
    expect(await pressed).toMatchObject({ outcome: 'final', intent: { attempt: 2, status: 'declined' } })
    expect(asked).toHaveLength(2)
    expect(await pressAtAnother()).toMatchObject({ outcome: 'accepted', intent: { attempt: 3 } })
  })

  test.for([
    ['had never left', 1, ['notSent', 'refused'], 'rejected'],
    ['had left at the fifth call', 5, ['notSent', 'notSent', 'notSent', 'notSent', 'declined'], 'final'],
  ] as const)(
    'get an attempt that %s, even if it has come to nothing meanwhile',
    async ([, before, fates, outcome]) => {
      const { press, pressAtAnother, standStill, goOn, asked, learn } = twoShops(...fates)
      for (let presses = 0; presses < before; presses++) await press()
      standStill()
      const pressed = pressAtAnother()
      for (let presses = before; presses < fates.length; presses++) await press()
      await learn()
      goOn()
      expect(await pressed).toMatchObject({ outcome, intent: { attempt: 1 } })
      expect(asked).toHaveLength(fates.length)
    },
  )

  test('get the attempt that was under way when they came, even if it was refused meanwhile', async () => {
    const { clock, press, asked, beSlow } = twoShops('refused')
    beSlow(100)
    const pressed = [press()]
    await clock.goOn(50)
    pressed.push(press())
    await clock.goOn(100)
    expect(await Promise.all(pressed)).toMatchObject([
      { outcome: 'rejected', intent: { attempt: 1 } },
      { outcome: 'rejected', intent: { attempt: 1 } },
    ])
    expect(asked).toHaveLength(1)
  })
})
