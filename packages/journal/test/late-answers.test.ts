import type { JournalOutcome } from '@tallystick/client/ports'
import { expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { rebill, replied, shopProcess, statusReply } from './shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }

test('A status answer that arrives only after a return of the payment has ended does not count', async () => {
  const clock = handClock()
  const told: JournalOutcome[] = []
  const paid = { 'transaction-type': 'sale', status: 'approved', amount: '10.42' }
  let shown = paid
  let answerLate = () => {}
  let isHeld = false
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    handler: ({ outcome }) => void told.push(outcome),
    answer: async (operation, request) => {
      if (operation === 'return') shown = { ...paid, 'transaction-type': 'reversal', amount: '7.42' }
      if (operation !== 'status') {
        return replied({ type: 'async-response', 'serial-number': 's-1', 'paynet-order-id': '9' })
      }
      const serialNumber = new URLSearchParams(request.body).get('by-request-sn')
      const reply = statusReply(request, { ...shown, ...(serialNumber && { 'by-request-sn': serialNumber }) })
      if (!isHeld) return reply
      isHeld = false
      await new Promise<void>((resolve) => {
        answerLate = resolve
      })
      return reply
    },
  })
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  const order = { clientOrderId: intent.clientOrderId, orderId: '9' }
  journal.start()
  await clock.goOn(5000)
  isHeld = true
  await journal.inbox.receive({ ...order, status: 'approved', type: 'sale' })
  await clock.goOn(3000)
  await journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
  await clock.goOn(5000)
  answerLate()
  await clock.goOn(5000)
  await journal.inbox.receive({ ...order, status: 'approved', type: 'reversal' })
  await clock.goOn(5000)
  expect(told).toMatchObject([
    { kind: 'outcome', operation: 'makeRebill', kept: '1042' },
    { kind: 'outcome', operation: 'return', amount: '300', kept: '742' },
  ])
  await journal.close()
})

test('Callbacks that come during the status check for the first one cause another, however many have the same time', async () => {
  const clock = handClock()
  const told: JournalOutcome[] = []
  let amount = '10.42'
  let answerLate = () => {}
  let isHeld = false
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    handler: ({ outcome }) => void told.push(outcome),
    answer: async (operation, request) => {
      if (operation !== 'status') return replied({ type: 'async-response', 'paynet-order-id': '9' })
      const type = amount === '10.42' ? 'sale' : 'reversal'
      const reply = statusReply(request, { 'transaction-type': type, status: 'approved', amount })
      if (isHeld) await new Promise<void>((resolve) => (answerLate = resolve))
      return reply
    },
  })
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  journal.start()
  await clock.goOn(5000)
  const isGivenBack = async (left: string) => {
    amount = left
    await journal.inbox.receive({ clientOrderId: intent.clientOrderId, orderId: '9', status: 'approved' })
  }
  isHeld = true
  await isGivenBack('7.42')
  await clock.goOn(0)
  await clock.goOn(0)
  isHeld = false
  await isGivenBack('5.42')
  await isGivenBack('4.42')
  answerLate()
  await clock.goOn(5000)
  expect(told.map(({ kept }) => kept)).toEqual(['1042', '742', '442'])
  await journal.close()
})
