import { describe, expect, test } from 'vitest'
import { type Answer, hearingShop, replied, statusReply } from './shop-process.ts'

const DAY = 24 * 60 * 60_000
const ORDER = { clientOrderId: 'order-a', orderId: '9' }
const PART = { ...ORDER, amount: '3.00', currency: 'USD' }

/** A gateway that shows the last operation of the order, but never which request that was. */
function shopWithout({ ends }: { readonly ends: 'approved' | 'declined' }) {
  let shown = { 'transaction-type': 'sale', status: 'approved' }
  let serialNumber = 0
  const answer: Answer = async (operation, request) => {
    if (operation === 'status')
      return statusReply(request, { ...shown, amount: '10.42', 'initial-amount': '10.42', currency: 'USD' })
    shown = { 'transaction-type': operation === 'return' ? 'reversal' : operation, status: ends }
    serialNumber++
    return replied({ type: 'async-response', 'paynet-order-id': '9', 'serial-number': `${serialNumber}` })
  }
  const shop = hearingShop(answer)
  const { journal, clock } = shop
  const settle = async (decision: 'take-status' | 'nothing-charged') => {
    const [intent] = (await journal.report()).review
    await journal.resolveReview(intent?.intentId ?? '', decision, 'the gateway says so')
    await clock.goOn(2000)
  }
  return { ...shop, settle }
}

describe('At a gateway that does not say which request its status is about', () => {
  test('a second equal capture goes to review after a day, and is reported once an operator has taken its status', async () => {
    const { journal, clock, told, events, settle } = shopWithout({ ends: 'approved' })
    await journal.pay('part 1', 'capture', PART)
    await clock.goOn(10_000)
    await journal.pay('part 2', 'capture', PART)
    await clock.goOn(DAY / 2)
    expect(events).toEqual([])
    await clock.goOn(DAY)
    expect(events).toEqual(['REVIEW'])
    await settle('take-status')
    expect(told).toMatchObject([
      { businessKey: 'part 1', status: 'approved', amount: '300', kept: '1042' },
      { businessKey: 'part 2', status: 'approved', amount: '300', kept: '1042' },
    ])
    expect(await journal.pay('part 3', 'capture', PART)).toMatchObject({ outcome: 'accepted' })
    await journal.close()
  })

  test('a second return that was declined blocks the next one only until an operator has decided', async () => {
    const { journal, clock, told, events, settle } = shopWithout({ ends: 'declined' })
    await journal.pay('refund 1', 'return', { ...ORDER, comment: 'broken' })
    await clock.goOn(10_000)
    await journal.pay('refund 2', 'return', { ...ORDER, comment: 'broken' })
    await clock.goOn(2 * DAY)
    expect(events).toEqual(['REVIEW'])
    const next = () => journal.pay('refund 3', 'return', { ...ORDER, comment: 'broken' })
    expect(await next()).toMatchObject({ outcome: 'conflict', intent: { businessKey: 'refund 2' } })
    await settle('nothing-charged')
    expect(await next()).toMatchObject({ outcome: 'accepted' })
    expect(told).toMatchObject([{ businessKey: 'refund 1', status: 'declined' }])
    await journal.close()
  })
})
