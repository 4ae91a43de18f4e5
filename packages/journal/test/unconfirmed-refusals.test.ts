import type { Exchange } from '@tallystick/client'
import { expect, test } from 'vitest'
import { type JournalEvent, memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { rebill, replied, shopProcess, statusReply } from './shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }
const NO_ANSWER: Exchange = { kind: 'lost', seen: 'there was no reply' }
const REFUSED = replied({ type: 'validation-error', 'error-code': '10', 'error-message': 'this endpoint is closed' })
const NO_SUCH_ORDER = replied({ type: 'validation-error', 'error-code': '2', 'error-message': 'no such order' })

/** A shop whose rebill is refused, and what the status says of it. */
function refusedShop() {
  const clock = handClock()
  const gateway: { status?: Exchange } = {}
  const events: JournalEvent[] = []
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    onEvent: (event) => void events.push(event),
    answer: async (operation, request) => {
      if (operation !== 'status') return REFUSED
      return gateway.status ?? statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
    },
  })
  return { clock, gateway, events, journal }
}

test('After a refusal that the status could not confirm, the customer is asked to wait, and later sees what the status says', async () => {
  const { clock, gateway, journal } = refusedShop()
  gateway.status = NO_ANSWER
  const paid = await journal.pay(KEY, 'makeRebill', rebill)
  expect(paid).toMatchObject({ outcome: 'unknown', error: { code: 'REJECTED' } })
  const { clientOrderId } = paid.intent
  expect((await journal.browserReturn(clientOrderId)).shown).toBe('pending')
  delete gateway.status
  await clock.goOn(2000)
  expect((await journal.browserReturn(clientOrderId)).shown).toBe('approved')
})

test('After a refusal that the status has confirmed, the customer is told so, and no event is needed', async () => {
  const { gateway, events, journal } = refusedShop()
  gateway.status = NO_SUCH_ORDER
  const paid = await journal.pay(KEY, 'makeRebill', rebill)
  expect(paid.outcome).toBe('rejected')
  delete gateway.status
  // It has ended: no status is checked.
  expect((await journal.browserReturn(paid.intent.clientOrderId)).shown).toBe('declined')
  expect(events).toEqual([])
})

test('A shop that was told `unknown` is notified once it is certain that the payment was refused', async () => {
  const { clock, gateway, events, journal } = refusedShop()
  gateway.status = NO_ANSWER
  expect((await journal.pay(KEY, 'makeRebill', rebill)).outcome).toBe('unknown')
  await clock.goOn(5000)
  await journal.reconcile()
  expect(events).toEqual([])
  gateway.status = NO_SUCH_ORDER
  await clock.goOn(10_000)
  await journal.reconcile()
  const refused = { businessKey: 'rebill subscription%2012 2026-11', rejection: expect.stringContaining('is closed') }
  expect(events).toMatchObject([{ type: 'REFUSED', intent: refused }])
  expect((await journal.pay(KEY, 'makeRebill', rebill)).outcome).toBe('rejected')
})

test('A shop is notified of a refused return as well, if the status did not answer at first', async () => {
  const clock = handClock()
  const events: JournalEvent[] = []
  let isSilent = false
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    onEvent: (event) => void events.push(event),
    answer: async (operation, request) => {
      if (operation === 'return') isSilent = true
      if (operation === 'return') return REFUSED
      if (operation === 'status' && isSilent) return NO_ANSWER
      if (operation === 'status') return statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
      return replied({ type: 'async-response', 'paynet-order-id': '9' })
    },
  })
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  const order = { clientOrderId: intent.clientOrderId, orderId: '9', comment: 'broken' }
  expect((await journal.pay('refund 1', 'return', order)).outcome).toBe('unknown')
  isSilent = false
  await clock.goOn(10_000)
  await journal.reconcile()
  expect(events).toMatchObject([{ type: 'REFUSED', intent: { businessKey: 'refund 1', holdsOrder: false } }])
})

test('The report lists a refusal among what may have taken effect, until the status has confirmed it', async () => {
  const { clock, gateway, journal } = refusedShop()
  gateway.status = NO_ANSWER
  await journal.pay(KEY, 'makeRebill', rebill)
  expect((await journal.report()).unknown).toMatchObject([{ state: 'REJECTED', amounts: ['1042'] }])
  gateway.status = NO_SUCH_ORDER
  await clock.goOn(5000)
  await journal.reconcile()
  expect((await journal.report()).unknown).toEqual([])
})

test('A refused return is reported as such at once, even if the outcome of its payment was not seen yet', async () => {
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock: handClock(),
    answer: async (operation, request) => {
      if (operation === 'return') return REFUSED
      if (operation === 'status') return statusReply(request, { status: 'approved', amount: '10.42', currency: 'USD' })
      return replied({ type: 'async-response', 'paynet-order-id': '9' })
    },
  })
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  const order = { clientOrderId: intent.clientOrderId, orderId: '9', comment: 'broken' }
  expect(await journal.pay('refund 1', 'return', order)).toMatchObject({
    outcome: 'rejected',
    intent: { holdsOrder: false },
  })
  expect((await journal.attempts(KEY))[0]).toMatchObject({ state: 'ACCEPTED' })
})
