import { describe, expect, test } from 'vitest'
import { type Answer, hearingShop, rebill, replied, statusReply } from './shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }

/** A shop whose first charge was reported as declined. `statuses` has what the gateway shows of each charge, by its number. */
async function shopOfDeclined() {
  const charged: string[] = []
  const statuses = ['declined', 'approved']
  let returned: Readonly<Record<string, string>> = {}
  const numberOf = (clientOrderId: string) => charged.indexOf(clientOrderId)
  const answer: Answer = async (operation, request) => {
    const asked = new URLSearchParams(request.body)
    const clientOrderId = asked.get('client_orderid') ?? ''
    if (operation === 'return') returned = { 'transaction-type': 'reversal', amount: '7.42' }
    else if (operation !== 'status') charged.push(clientOrderId)
    const orderId = `${numberOf(clientOrderId) + 1}`
    if (operation !== 'status') return replied({ type: 'async-response', 'paynet-order-id': orderId })
    const status = statuses[numberOf(clientOrderId)] ?? ''
    const shown = { 'paynet-order-id': orderId, status, amount: '10.42', currency: 'USD' }
    return statusReply(request, { ...shown, ...(orderId === '1' && returned) })
  }
  const shop = hearingShop(answer)
  const { journal, clock } = shop
  const pay = async (attempt: number) => {
    const paid = await journal.pay(KEY, 'makeRebill', rebill, { attempt })
    await clock.goOn(10_000)
    return paid
  }
  await pay(1)
  /** The gateway shows the first as approved from now on. */
  const turnSilently = () => {
    statuses[0] = 'approved'
  }
  /** And its callback says so. */
  const turn = async () => {
    turnSilently()
    await journal.inbox.receive({ clientOrderId: charged[0] ?? '', orderId: '1', status: 'approved' })
    await clock.goOn(10_000)
  }
  /** The gateway shows the first as declined again. */
  const turnBack = () => {
    statuses[0] = 'declined'
    returned = {}
  }
  const showAmount = (amount: string, type = 'sale') => {
    returned = { 'transaction-type': type, amount }
  }
  const giveBack = async () => {
    const order = { clientOrderId: charged[0] ?? '', orderId: '1' }
    await journal.pay('refund 1', 'return', { ...order, amount: '3.00', currency: 'USD', comment: 'broken' })
    await clock.goOn(10_000)
  }
  return { ...shop, charged, pay, turnSilently, turn, turnBack, showAmount, giveBack }
}

describe('A charge that was reported as declined, and is approved after all', () => {
  test('is reported with its amount, and as a suspected double charge with the next attempt, which was paid', async () => {
    const { journal, told, events, pay, turn, showAmount } = await shopOfDeclined()
    await pay(2)
    await turn()
    expect(told).toMatchObject([
      { kind: 'outcome', status: 'declined', orderId: '1' },
      { kind: 'outcome', status: 'approved', orderId: '2' },
      { kind: 'notice', status: 'approved', orderId: '1', amount: '1042', kept: '1042', isLatePayment: true },
    ])
    expect(events).toEqual(['DOUBLE_CHARGE_SUSPECTED'])
    expect((await journal.report()).suspectedDoubles).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
    await turn()
    expect([told.length, events.length]).toEqual([3, 1])
    // The gateway shows what is left of the payment, and does not say why.
    showAmount('9.42')
    await turn()
    expect(told.at(-1)).toMatchObject({ kind: 'notice', orderId: '1', amount: '100', kept: '942' })
    expect(told.at(-1)).not.toHaveProperty('isLatePayment')
    // As much is left as was charged back.
    showAmount('4.71', 'chargeback')
    await turn()
    expect(told.at(-1)).toMatchObject({ kind: 'notice', orderId: '1', amount: '471', kept: '471' })
    expect(events).toEqual(['DOUBLE_CHARGE_SUSPECTED'])
    await journal.close()
  })

  test('is reported before the refund of a part of it, if no callback has named it', async () => {
    const { journal, told, events, pay, turnSilently, giveBack } = await shopOfDeclined()
    await pay(2)
    turnSilently()
    await giveBack()
    expect(told.slice(2)).toMatchObject([
      { kind: 'notice', businessKey: told[0]?.businessKey, status: 'approved', amount: '1042', kept: '1042' },
      { kind: 'outcome', businessKey: 'refund 1', status: 'approved', amount: '300', kept: '742' },
    ])
    expect(events).toEqual(['DOUBLE_CHARGE_SUSPECTED'])
    await journal.close()
  })

  test('counts as paid: no next attempt is made', async () => {
    const { journal, charged, told, events, pay, turn } = await shopOfDeclined()
    await turn()
    expect(await pay(2)).toMatchObject({ outcome: 'final', intent: { attempt: 1, status: 'approved' } })
    expect([charged.length, told.length, events]).toEqual([1, 2, []])
    await journal.close()
  })

  describe('with another amount', () => {
    async function shopOfDiffering() {
      const shop = await shopOfDeclined()
      shop.showAmount('99.42')
      await shop.turn()
      const [intent] = await shop.journal.attempts(KEY)
      expect(intent).toMatchObject({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS', status: 'declined' })
      expect(intent?.evidence.at(-1)?.seen).toBe(
        'AMOUNT_DIFFERS: approved of 99.42 USD, after it was declined; asked for: 10.42 USD',
      )
      expect([shop.told.length, shop.events]).toEqual([1, ['REVIEW']])
      return { ...shop, intentId: intent?.intentId ?? '' }
    }

    test('goes to review, and no next attempt is made meanwhile', async () => {
      const { journal, charged, pay } = await shopOfDiffering()
      expect(await pay(2)).toMatchObject({ outcome: 'review', intent: { attempt: 1 } })
      expect(charged).toHaveLength(1)
      await journal.close()
    })

    test('is reported with it, as paid after all, if an operator takes it', async () => {
      const { journal, clock, intentId, told, turn } = await shopOfDiffering()
      await journal.resolveReview(intentId, 'take-status', 'it is the amount on the bill')
      await clock.goOn(10_000)
      expect(told.slice(1)).toMatchObject([{ kind: 'notice', status: 'approved', amount: '9942', kept: '9942' }])
      await turn()
      expect(told).toHaveLength(2)
      expect((await journal.attempts(KEY))[0]).toMatchObject({ state: 'FINAL', status: 'approved' })
      await journal.close()
    })

    test('is reported as paid after all, with the amount asked for, if that is what the status shows when asked again', async () => {
      const { journal, clock, intentId, told, events, showAmount } = await shopOfDiffering()
      showAmount('10.42')
      await journal.resolveReview(intentId, 'ask-again', 'the gateway was wrong')
      await clock.goOn(10_000)
      expect(told.slice(1)).toMatchObject([{ kind: 'notice', status: 'approved', amount: '1042', kept: '1042' }])
      expect((await journal.attempts(KEY))[0]).toMatchObject({ state: 'FINAL', status: 'approved' })
      expect(events).toEqual(['REVIEW'])
      await journal.close()
    })

    test('is not reported as declined once more, if that is what the status shows when asked again', async () => {
      const { journal, clock, intentId, told, pay, turnBack } = await shopOfDiffering()
      turnBack()
      await journal.resolveReview(intentId, 'ask-again', 'the gateway was wrong')
      await clock.goOn(10_000)
      expect(told).toHaveLength(1)
      expect((await journal.attempts(KEY))[0]).toMatchObject({ state: 'FINAL', status: 'declined' })
      expect(await pay(2)).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
      await journal.close()
    })

    test('is forgotten if an operator decides that nothing was charged: the same status changes nothing', async () => {
      const { journal, clock, intentId, told, events, pay, turn } = await shopOfDiffering()
      await journal.resolveReview(intentId, 'nothing-charged', 'it is another customer')
      await turn()
      await clock.goOn(60_000)
      expect([told.length, events]).toEqual([1, ['REVIEW']])
      expect(await pay(2)).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
      await journal.close()
    })
  })
})
