import { cards } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type JournalShop, journalShop, neverLeft, replyLost, requestLost, saleOf } from './shop.ts'

const MINUTE = 60_000

let shop: JournalShop
beforeEach(async () => {
  shop = await journalShop()
})
afterEach(() => shop.close())

/** An approved sale or preauth of 10.42. */
async function approved(operation: 'sale' | 'preauth' = 'sale') {
  const { intent } = await shop.journal.pay('invoice 77', operation, saleOf({ amount: '10.42' }))
  await shop.goOn(2, 5000)
  return { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
}

const refunds = () => shop.outcomes.filter(({ operation }) => operation === 'return')

describe('a return through the journal', () => {
  test('of a part is decided by its serial number', async () => {
    const order = await approved()
    const refund = { ...order, amount: '3.00', currency: 'USD', comment: 'broken' }
    expect(await shop.journal.pay('refund 1', 'return', refund)).toMatchObject({ outcome: 'accepted' })
    await shop.goOn(2, 5000)
    expect(refunds()).toMatchObject([{ status: 'approved', amount: '300', kept: '742', transactionType: 'reversal' }])
    expect(shop.outcomes).toHaveLength(2)
  })

  test('whose ids name two orders by mistake blocks the next one of the order, and can be fixed under its own key', async () => {
    const order = await approved()
    const { intent } = await shop.journal.pay('invoice 78', 'sale', saleOf())
    const mixed = { orderId: order.orderId, clientOrderId: intent.clientOrderId, comment: 'broken' }
    expect((await shop.journal.pay('refund 1', 'return', mixed)).outcome).toBe('notSent')
    const inTheWay = { businessKey: 'refund 1', state: 'PREPARED' }
    const refund = { ...order, comment: 'broken' }
    expect(await shop.journal.pay('refund 2', 'return', refund)).toMatchObject({
      outcome: 'conflict',
      intent: inTheWay,
    })
    expect(await shop.journal.pay('refund 1', 'return', refund)).toMatchObject({ outcome: 'accepted' })
  })

  test('is not sent while the order is being changed, because the two changes could not be told apart', async () => {
    const order = await approved()
    const refund = { ...order, amount: '3.00', currency: 'USD', comment: 'broken' }
    shop.mishap('status', async (send) => {
      const seen = await send()
      if (seen.kind !== 'replied') return seen
      const body = seen.body.replace('"approved"', '"processing"').replace('"sale"', '"reversal"')
      return { ...seen, body }
    })
    expect(await shop.journal.pay('refund 1', 'return', refund)).toMatchObject({
      outcome: 'notSent',
      error: { code: 'NOT_SENT', seen: expect.stringContaining('a reversal that is not decided yet') },
    })
    expect(shop.sent).not.toContain('return')
    expect(await shop.journal.pay('refund 1', 'return', refund)).toMatchObject({ outcome: 'accepted' })
  })

  test('is sent even if a callback of its order comes while it is prepared', async () => {
    const order = await approved()
    shop.mishap('status', async (send) => {
      const seen = await send()
      await shop.journal.inbox.receive({ ...order, status: 'approved', type: 'sale' })
      return seen
    })
    expect(await shop.journal.pay('refund 1', 'return', { ...order, comment: 'broken' })).toMatchObject({
      outcome: 'accepted',
    })
  })

  test.each([
    ['the order is as it has left it', undefined, []],
    [
      'a chargeback has come since',
      '5.00',
      [{ kind: 'notice', transactionType: 'chargeback', amount: '500', kept: '242' }],
    ],
  ])(
    'before the outcome of the sale was seen is reported once, after the sale, if %s',
    async (_what, amount, notices) => {
      const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.42' }))
      await shop.gateway.settled()
      const order = { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
      await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
      await shop.gateway.settled()
      if (amount !== undefined) await shop.gateway.chargeback(order.orderId, amount)
      await shop.goOn(20, 5000)
      expect(shop.outcomes).toMatchObject([
        { kind: 'outcome', operation: 'sale', amount: '1042', kept: '1042' },
        { kind: 'outcome', operation: 'return', amount: '300', kept: '742' },
        ...notices,
      ])
    },
  )

  test('is not sent before its sale has an outcome, and is sent after that, under the same key', async () => {
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf(cards.unknownThenApproved))
    await shop.gateway.settled()
    const order = { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '', comment: 'broken' }
    const refund = () => shop.journal.pay('refund 1', 'return', order)
    const early = await refund()
    expect([early.outcome, early.intent.state, early.intent.sends]).toEqual(['notSent', 'PREPARED', 0])
    await shop.goOn(40, 5000)
    expect((await refund()).outcome).toBe('accepted')
  })

  test('is reported after its sale, even if the status of the sale is not answered', async () => {
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.42' }))
    await shop.gateway.settled()
    const order = { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
    await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
    shop.mishap('status', replyLost)
    await shop.goOn(40, 5000)
    expect(shop.outcomes.map(({ operation, kept }) => [operation, kept])).toEqual([
      ['sale', '1042'],
      ['return', '742'],
    ])
  })

  test('whose reply is lost is decided by the change of the order', async () => {
    const order = await approved()
    shop.mishap('return', replyLost)
    const refund = { ...order, amount: '3.00', currency: 'USD', comment: 'broken' }
    expect(await shop.journal.pay('refund 1', 'return', refund)).toMatchObject({ outcome: 'unknown' })
    await shop.goOn(2, 5000)
    expect(refunds()).toMatchObject([{ status: 'approved', amount: '300', kept: '742' }])
    expect(await shop.journal.pay('refund 1', 'return', refund)).toMatchObject({ outcome: 'final' })
    expect(shop.sent.filter((operation) => operation === 'return')).toHaveLength(1)
  })

  test('equal to an earlier one is found as well', async () => {
    const order = await approved()
    const refund = { ...order, amount: '3.00', currency: 'USD', comment: 'broken' }
    await shop.journal.pay('refund 1', 'return', refund)
    await shop.goOn(2, 5000)
    shop.mishap('return', replyLost)
    await shop.journal.pay('refund 2', 'return', refund)
    await shop.goOn(2, 5000)
    expect(refunds()).toMatchObject([
      { businessKey: 'refund 1', kept: '742' },
      { businessKey: 'refund 2', kept: '442' },
    ])
  })

  test('is one at a time for an order', async () => {
    const order = await approved()
    const part = { ...order, amount: '3.00', currency: 'USD', comment: 'broken' }
    shop.mishap('return', requestLost)
    await shop.journal.pay('refund 1', 'return', part)
    expect(await shop.journal.pay('refund 2', 'return', part)).toMatchObject({
      outcome: 'conflict',
      intent: { businessKey: 'refund 1' },
    })
  })

  test('of a part that never arrived goes to review: an equal one would look the same', async () => {
    const order = await approved()
    shop.mishap('return', requestLost)
    await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
    await shop.goOn(30, MINUTE)
    expect(await shop.journal.attempts('refund 1')).toMatchObject([{ state: 'REVIEW', reviewReason: 'PART_UNCHANGED' }])
    const [intent] = (await shop.journal.report()).review
    await shop.journal.resolveReview(intent?.intentId ?? '', 'nothing-charged', 'the gateway says so')
    expect(
      await shop.journal.pay(
        'refund 1',
        'return',
        { ...order, amount: '3.00', currency: 'USD', comment: 'broken' },
        { attempt: 2 },
      ),
    ).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
  })

  test('of a part is not sent a second time if the first has arrived since, and the second never left', async () => {
    const order = await approved()
    const part = { ...order, amount: '3.00', currency: 'USD', comment: 'broken' }
    shop.mishap('return', requestLost)
    const { intent } = await shop.journal.pay('refund 1', 'return', part)
    await shop.goOn(30, MINUTE)
    await shop.journal.resolveReview(intent.intentId, 'nothing-charged', 'the gateway says so')
    shop.mishap('return', neverLeft)
    expect(await shop.journal.pay('refund 1', 'return', part, { attempt: 2 })).toMatchObject({ outcome: 'notSent' })
    await shop.client.return(part) // the first one, late
    await shop.gateway.settled()
    await shop.clock.advance(3000)
    await shop.gateway.settled()
    expect(await shop.journal.pay('refund 1', 'return', part)).toMatchObject({
      outcome: 'final',
      intent: { attempt: 1, status: 'approved' },
    })
    expect(shop.events).toMatchObject([{ type: 'REVIEW' }, { type: 'ARRIVED_LATE' }])
    expect(await shop.client.status(order)).toMatchObject({ amount: '7.42' })
  })

  test('of a part that never arrived is not approved by a status that still shows the sale', async () => {
    const order = await approved()
    shop.mishap('return', requestLost)
    await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
    await shop.goOn(30, MINUTE)
    const [intent] = (await shop.journal.report()).review
    await expect(
      shop.journal.resolveReview(intent?.intentId ?? '', 'take-status', 'the gateway says approved'),
    ).rejects.toThrow('has been shown no final status of its own')
    expect(refunds()).toEqual([])
  })

  test('beside another one that a clerk made is reported when an operator takes the status, and so is the other one', async () => {
    const order = await approved()
    shop.mishap('return', async (send) => {
      await shop.client.return({ ...order, amount: '2.00', currency: 'USD', comment: 'by a clerk' })
      await shop.gateway.settled()
      return await replyLost(send)
    })
    await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
    await shop.goOn(2, 5000)
    const [intent] = (await shop.journal.report()).review
    expect(intent).toMatchObject({ reviewReason: 'CHANGED_OTHERWISE' })
    await shop.journal.resolveReview(intent?.intentId ?? '', 'take-status', 'the clerk returned 2.00 as well')
    await shop.journal.inbox.receive({ ...order, status: 'approved', type: 'reversal' })
    await shop.goOn(2, 5000)
    expect(shop.outcomes.slice(1)).toMatchObject([
      { kind: 'outcome', operation: 'return', status: 'approved', amount: '300', kept: '742' },
      { kind: 'notice', transactionType: 'reversal', amount: '200', kept: '542' },
    ])
  })

  test('beside another one that a clerk made may be made again if an operator says that it came to nothing', async () => {
    const order = await approved()
    const part = { ...order, amount: '3.00', currency: 'USD', comment: 'broken' }
    shop.mishap('return', async () => {
      await shop.client.return({ ...order, amount: '2.00', currency: 'USD', comment: 'by a clerk' })
      await shop.gateway.settled()
      return await requestLost()
    })
    const { intent } = await shop.journal.pay('refund 1', 'return', part)
    await shop.goOn(2, 5000)
    await shop.journal.resolveReview(intent.intentId, 'nothing-charged', 'that was the clerk')
    await shop.goOn(2, 5000)
    expect(await shop.journal.pay('refund 1', 'return', part, { attempt: 2 })).toMatchObject({ outcome: 'accepted' })
    await shop.goOn(2, 5000)
    expect(refunds()).toMatchObject([{ status: 'approved', amount: '300', kept: '542' }])
    expect(shop.events).toMatchObject([{ type: 'REVIEW' }])
  })

  test('of a payment in review is reported once, even if an operator takes its status', async () => {
    // The gateway has charged another amount than was asked for.
    for (let asked = 0; asked < 5; asked++) {
      shop.mishap('status', async (send) => {
        const seen = await send()
        if (seen.kind !== 'replied') return seen
        return { ...seen, body: seen.body.replaceAll('10.42', '12.00').replaceAll('7.42', '9.00') }
      })
    }
    const order = await approved()
    const [inReview] = (await shop.journal.report()).differingAmounts
    await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
    await shop.goOn(2, 5000)
    await shop.journal.resolveReview(inReview?.intentId ?? '', 'take-status', 'agreed with the customer')
    await shop.goOn(2, 5000)
    expect(shop.outcomes).toMatchObject([
      { kind: 'outcome', operation: 'return', amount: '300', kept: '900' },
      { kind: 'outcome', operation: 'sale', amount: '1200', kept: '1200' },
    ])
  })

  test('in full that never arrived may be made again by the next attempt', async () => {
    const order = await approved()
    shop.mishap('return', requestLost)
    await shop.journal.pay('refund 1', 'return', { ...order, comment: 'broken' })
    await shop.goOn(30, MINUTE)
    expect(await shop.journal.pay('refund 1', 'return', { ...order, comment: 'broken' })).toMatchObject({
      outcome: 'absent',
    })
    await shop.journal.pay('refund 1', 'return', { ...order, comment: 'broken' }, { attempt: 2 })
    await shop.goOn(2, 5000)
    expect(refunds()).toMatchObject([{ status: 'approved', amount: '1042', kept: '0' }])
  })

  test('in full that was presumed absent, and arrives all the same, is reported once', async () => {
    const order = await approved()
    let arrive = requestLost
    shop.mishap('return', async (send) => {
      arrive = send
      return await requestLost()
    })
    await shop.journal.pay('refund 1', 'return', { ...order, comment: 'broken' })
    await shop.goOn(60, MINUTE)
    await arrive()
    await shop.gateway.settled()
    await shop.clock.advance(3000)
    await shop.journal.inbox.receive({ ...order, status: 'approved', type: 'reversal' })
    await shop.goOn(4, 5000)
    expect(shop.events).toMatchObject([{ type: 'PRESUMED_ABSENT' }, { type: 'ARRIVED_LATE' }])
    expect(shop.outcomes.slice(1)).toMatchObject([
      { kind: 'outcome', operation: 'return', transactionType: 'reversal', amount: '1042', kept: '0' },
    ])
  })

  test.each([
    [
      'take-status',
      [
        { kind: 'outcome', operation: 'return', amount: '300', kept: '742' },
        { kind: 'notice', transactionType: 'reversal', amount: '200', kept: '542' },
      ],
    ],
    ['nothing-charged', [{ kind: 'notice', transactionType: 'reversal', amount: '500', kept: '542' }]],
  ] as const)(
    'of a part that an operator believed lost, and that arrives after a chargeback, is reported once: %s',
    async (decision, told) => {
      const order = await approved()
      let arrive = requestLost
      shop.mishap('return', async (send) => {
        arrive = send
        return await requestLost()
      })
      const part = { amount: '3.00', currency: 'USD', comment: 'broken' }
      const { intent } = await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.goOn(60, MINUTE)
      await shop.journal.resolveReview(intent.intentId, 'nothing-charged', 'the gateway has no return')
      await shop.goOn(2, 5000)
      await shop.gateway.chargeback(order.orderId, '2.00')
      await arrive()
      await shop.gateway.settled()
      await shop.journal.inbox.receive({ ...order, status: 'approved', type: 'reversal' })
      await shop.goOn(30, 60 * MINUTE)
      expect(shop.outcomes).toHaveLength(1)
      await shop.journal.resolveReview(intent.intentId, decision, 'looked at the gateway again')
      await shop.goOn(2, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject(told)
    },
  )

  test('that the rules refuse is rejected, and leaves the order free', async () => {
    const order = await approved()
    const tooMuch = { ...order, amount: '30.00', currency: 'USD', comment: 'broken' }
    expect(await shop.journal.pay('refund 1', 'return', tooMuch)).toMatchObject({ outcome: 'rejected' })
    expect(await shop.journal.pay('refund 2', 'return', { ...order, comment: 'broken' })).toMatchObject({
      outcome: 'accepted',
    })
    await shop.journal.inbox.receive({ ...order, status: 'approved', type: 'reversal' })
    await shop.goOn(2, 5000)
    expect(refunds()).toMatchObject([{ businessKey: 'refund 2', status: 'approved' }])
    expect(await shop.journal.pay('refund 1', 'return', tooMuch)).toMatchObject({ outcome: 'rejected' })
    expect(shop.events).toEqual([])
  })
})

describe('a capture and a void', () => {
  test('report the amount kept: a capture in full takes nothing away', async () => {
    const order = await approved('preauth')
    await shop.journal.pay('capture 77', 'capture', order)
    await shop.goOn(2, 5000)
    const [, captured] = shop.outcomes
    expect(captured).toMatchObject({ operation: 'capture', status: 'approved', kept: '1042' })
    expect(captured?.amount).toBeUndefined()
  })

  test('are decided by the change of the order as well', async () => {
    const order = await approved('preauth')
    shop.mishap('capture', replyLost)
    await shop.journal.pay('capture 77', 'capture', { ...order, amount: '5.00', currency: 'USD' })
    await shop.goOn(2, 5000)
    expect(shop.outcomes.at(-1)).toMatchObject({ operation: 'capture', status: 'approved', amount: '500' })
    shop.mishap('void', replyLost)
    await shop.journal.pay('void 77', 'void', { ...order, comment: 'rest' })
    await shop.goOn(2, 5000)
    expect(shop.outcomes.at(-1)).toMatchObject({ operation: 'void', status: 'approved', transactionType: 'cancel' })
  })
})

describe('what happens to an order without the journal', () => {
  const news = (order: { clientOrderId: string; orderId: string }) =>
    shop.journal.inbox.receive({ ...order, status: 'approved', type: 'reversal' })

  test('two equal partial reversals, whose callbacks look alike, are both found', async () => {
    const order = await approved()
    for (const _ of [1, 2]) {
      await shop.client.return({ ...order, amount: '3.00', currency: 'USD', comment: 'by a clerk' })
      await shop.gateway.settled()
      expect(await news(order)).toBe('stored')
      await shop.goOn(1, 5000)
    }
    expect(shop.outcomes.slice(1)).toMatchObject([
      { kind: 'notice', transactionType: 'reversal', status: 'approved', amount: '300', kept: '742' },
      { kind: 'notice', transactionType: 'reversal', status: 'approved', amount: '300', kept: '442' },
    ])
  })

  test('a chargeback is a notice', async () => {
    const order = await approved()
    await shop.gateway.chargeback(order.orderId)
    await shop.gateway.settled()
    await news(order)
    await shop.goOn(1, 5000)
    expect(shop.outcomes.at(-1)).toMatchObject({
      kind: 'notice',
      transactionType: 'chargeback',
      amount: '1042',
      kept: '0',
    })
  })

  describe('while the journal refunds a part of it', () => {
    const part = { amount: '3.00', currency: 'USD', comment: 'broken' }
    const chargedBack = async (order: { clientOrderId: string; orderId: string }) => {
      await shop.gateway.chargeback(order.orderId, '5.00')
      await shop.gateway.settled()
      await news(order)
    }

    test('is reported with its own amount, and so is the part', async () => {
      const order = await approved()
      await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.gateway.settled()
      await chargedBack(order)
      await shop.goOn(20, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'outcome', operation: 'return', amount: '300', kept: '742' },
        { kind: 'notice', transactionType: 'chargeback', amount: '500', kept: '242' },
      ])
    })

    test('is reported with its own amount, if it takes all that the part leaves and the part is declined then', async () => {
      const order = await approved()
      shop.gateway.next('return').beUnknownThenDeclined()
      await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.gateway.chargeback(order.orderId)
      await news(order)
      await shop.goOn(20, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'outcome', operation: 'return', status: 'declined', amount: '300' },
        { kind: 'notice', transactionType: 'chargeback', amount: '742', kept: '300' },
      ])
    })

    test('is reported with its own amount by the next return, if no callback of it came', async () => {
      const order = await approved()
      shop.gateway.next('return').beUnknownThenDeclined()
      await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.gateway.chargeback(order.orderId)
      await shop.goOn(20, 5000)
      await shop.journal.pay('refund 2', 'return', { ...order, ...part, amount: '1.00' })
      await shop.goOn(20, 5000)
      expect(shop.outcomes.slice(2)).toMatchObject([
        { kind: 'notice', transactionType: 'chargeback', amount: '742', kept: '300' },
        { kind: 'outcome', operation: 'return', status: 'approved', amount: '100', kept: '200' },
      ])
    })

    test('is reported once, if it is seen while the snapshot before the part is being taken', async () => {
      const order = await approved()
      await shop.clock.advance(3000)
      shop.mishap('status', async (send) => {
        const seen = await send()
        await chargedBack(order)
        await shop.journal.reconcile()
        return seen
      })
      await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.goOn(10, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'notice', transactionType: 'chargeback', amount: '500', kept: '542' },
        { kind: 'outcome', operation: 'return', amount: '300', kept: '242' },
      ])
      expect(shop.outcomes).toHaveLength(3)
    })

    test('is reported once an operator has decided about the part, however long that took', async () => {
      const order = await approved()
      shop.mishap('return', requestLost)
      const { intent } = await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.goOn(30, MINUTE)
      await chargedBack(order)
      await shop.goOn(60, 60 * MINUTE)
      expect(shop.outcomes).toHaveLength(1)
      await shop.journal.resolveReview(intent.intentId, 'nothing-charged', 'the gateway has no return')
      await shop.goOn(1, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'notice', transactionType: 'chargeback', amount: '500', kept: '542' },
      ])
    })

    test('is reported without a callback, if it is why the part was refused', async () => {
      const order = await approved()
      await shop.gateway.chargeback(order.orderId)
      await shop.gateway.settled()
      expect(await shop.journal.pay('refund 1', 'return', { ...order, ...part })).toMatchObject({ outcome: 'rejected' })
      await shop.goOn(1, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'notice', transactionType: 'chargeback', amount: '1042', kept: '0' },
      ])
    })

    test('is reported without a callback, if an operator says that the part came to nothing', async () => {
      const order = await approved()
      shop.mishap('return', requestLost)
      const { intent } = await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.gateway.chargeback(order.orderId, '5.00')
      await shop.goOn(1, 5000)
      expect(shop.events).toMatchObject([{ type: 'REVIEW', intent: { reviewReason: 'CHANGED_OTHERWISE' } }])
      await shop.journal.resolveReview(intent.intentId, 'nothing-charged', 'it was charged back')
      await shop.goOn(1, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'notice', transactionType: 'chargeback', amount: '500', kept: '542' },
      ])
    })

    test('is reported without a callback, if an operator takes what was seen of both', async () => {
      const order = await approved()
      shop.mishap('return', replyLost)
      const { intent } = await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.gateway.settled()
      await shop.gateway.chargeback(order.orderId, '5.00')
      await shop.goOn(1, 5000)
      expect(shop.events).toMatchObject([{ type: 'REVIEW', intent: { reviewReason: 'CHANGED_OTHERWISE' } }])
      await shop.journal.resolveReview(intent.intentId, 'take-status', 'given back, and 5.00 were charged back since')
      await shop.goOn(2, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'outcome', operation: 'return', amount: '300', kept: '742' },
        { kind: 'notice', transactionType: 'chargeback', amount: '500', kept: '242' },
      ])
    })

    test('is reported while the part has never left', async () => {
      const order = await approved()
      shop.mishap('return', neverLeft)
      await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await chargedBack(order)
      await shop.goOn(2, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([{ kind: 'notice', transactionType: 'chargeback', amount: '500' }])
    })

    const byClerk = async (order: { clientOrderId: string; orderId: string }, amount: string) => {
      await shop.client.return({ ...order, amount, currency: 'USD', comment: 'by a clerk' })
      await shop.gateway.settled()
      await shop.clock.advance(3000)
      await shop.gateway.settled()
    }

    test('a part that a clerk refunded before is reported, even if its callback comes later', async () => {
      const order = await approved()
      await byClerk(order, '2.00')
      await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.goOn(2, 5000)
      await news(order)
      await shop.goOn(2, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'notice', transactionType: 'reversal', amount: '200', kept: '842' },
        { kind: 'outcome', operation: 'return', amount: '300', kept: '542' },
      ])
    })

    test.each(['2.00', '3.00'])('a part of %s that a clerk refunds after it is reported', async (amount) => {
      const order = await approved()
      await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.gateway.settled()
      await byClerk(order, amount)
      await shop.goOn(4, 5000)
      expect(shop.outcomes.slice(1)).toMatchObject([
        { kind: 'outcome', operation: 'return', amount: '300', kept: '742' },
        {
          kind: 'notice',
          transactionType: 'reversal',
          amount: amount.replace('.', ''),
          kept: amount === '2.00' ? '542' : '442',
        },
      ])
    })

    test('and comes after the part is reported once, for copies of its callback', async () => {
      const order = await approved()
      await shop.journal.pay('refund 1', 'return', { ...order, ...part })
      await shop.goOn(2, 5000)
      await chargedBack(order)
      for (const _ of [1, 2, 3]) {
        await shop.goOn(2, 5000)
        await news(order)
      }
      await shop.goOn(2, 5000)
      expect(shop.outcomes.slice(2)).toMatchObject([{ kind: 'notice', amount: '500', kept: '242' }])
    })
  })

  test('is reported with its own amount while the journal captures a part, which gives nothing back', async () => {
    const order = await approved('preauth')
    await shop.journal.pay('capture 77', 'capture', { ...order, amount: '5.00', currency: 'USD' })
    await shop.gateway.settled()
    await shop.gateway.chargeback(order.orderId, '2.00')
    await shop.gateway.settled()
    await news(order)
    await shop.goOn(4, 5000)
    expect(shop.outcomes.slice(1)).toMatchObject([
      { kind: 'outcome', operation: 'capture', amount: '500', kept: '1042' },
      { kind: 'notice', transactionType: 'chargeback', amount: '200', kept: '842' },
    ])
  })

  test('is reported with its own amount, if it takes all but the part that the journal captures', async () => {
    const order = await approved('preauth')
    await shop.journal.pay('capture 1', 'capture', { ...order, amount: '7.42', currency: 'USD' })
    await shop.goOn(2, 5000)
    shop.gateway.next('capture').beUnknownThenApproved()
    await shop.journal.pay('capture 2', 'capture', { ...order, amount: '3.00', currency: 'USD' })
    await shop.gateway.chargeback(order.orderId)
    await news(order)
    await shop.goOn(20, 5000)
    expect(shop.outcomes.slice(2)).toMatchObject([
      { kind: 'outcome', operation: 'capture', amount: '300' },
      { kind: 'notice', transactionType: 'chargeback', amount: '742', kept: '300' },
    ])
  })

  test('is reported with its own amount while the journal voids what was not captured, and so is the void', async () => {
    const order = await approved('preauth')
    await shop.journal.pay('capture 1', 'capture', { ...order, amount: '5.00', currency: 'USD' })
    await shop.goOn(2, 5000)
    shop.gateway.next('void').beUnknownThenApproved()
    await shop.journal.pay('void', 'void', { ...order, comment: 'the rest is sold out' })
    await shop.gateway.chargeback(order.orderId, '2.00')
    await news(order)
    await shop.goOn(20, 5000)
    expect(shop.outcomes.slice(2)).toMatchObject([
      { kind: 'outcome', operation: 'void', status: 'approved', amount: '542', kept: '500' },
      { kind: 'notice', transactionType: 'chargeback', amount: '200', kept: '300' },
    ])
  })

  test('is checked for the undecided return, and not for its payment as well', async () => {
    const order = await approved()
    shop.mishap('return', requestLost)
    await shop.journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
    const sent = shop.sent.length
    await news(order)
    await shop.goOn(1, 1000)
    expect(shop.sent.slice(sent)).toEqual(['status'])
  })

  test('is checked once, however many returns of the order have ended', async () => {
    const order = await approved()
    for (const refund of ['refund 1', 'refund 2']) {
      await shop.journal.pay(refund, 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
      await shop.goOn(4, 5000)
    }
    const sent = shop.sent.length
    await news(order)
    await shop.goOn(1, 5000)
    expect(shop.sent.slice(sent)).toEqual(['status'])
  })

  test('a callback without a change is no notice', async () => {
    const order = await approved()
    await news(order)
    await shop.goOn(2, 5000)
    expect(shop.outcomes).toHaveLength(1)
  })
})
