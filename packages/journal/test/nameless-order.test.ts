import { expect, test } from 'vitest'
import { type Answer, hearingShop, rebill, replied } from './shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }

/** A charge whose reply was lost, at a gateway whose status names only its own id. `show` sets what it says from now on. */
async function lostCharge(first = 'approved') {
  let [status, orderId] = [first, '9']
  const asked: (string | null)[] = []
  const answer: Answer = async (operation, { body }) => {
    if (operation !== 'status') return { kind: 'lost', seen: 'the connection was reset' }
    asked.push(new URLSearchParams(body).get('orderid'))
    const money = { amount: '10.42', currency: 'USD' }
    return replied({
      type: 'status-response',
      'transaction-type': 'sale',
      'paynet-order-id': orderId,
      status,
      ...money,
    })
  }
  const shop = hearingShop(answer)
  const { intent } = await shop.journal.pay(KEY, 'makeRebill', rebill)
  const chargeOf = async () => (await shop.journal.attempts(KEY))[0]
  const settle = async (decision: 'ask-again' | 'take-status' | 'nothing-charged') => {
    await shop.journal.resolveReview(intent.intentId, decision, 'order 9 at the gateway')
    await shop.clock.goOn(10_000)
  }
  const show = (next: string, id = '9') => {
    status = next
    orderId = id
  }
  await shop.clock.goOn(10_000)
  expect(await chargeOf()).toMatchObject({ state: 'REVIEW', reviewReason: 'ORDER_DIFFERS' })
  return { ...shop, asked, chargeOf, settle, show }
}

test('An order without our id, after a lost reply, is ours if an operator takes it', async () => {
  const { journal, told, asked, chargeOf, settle } = await lostCharge()
  const { evidence = [] } = (await chargeOf()) ?? {}
  expect(evidence.at(-1)?.seen).toBe(
    'ORDER_DIFFERS: status approved of order 9, which names no client order id: 10.42 USD; asked for: 10.42 USD',
  )
  await settle('take-status')
  expect(await chargeOf()).toMatchObject({ state: 'FINAL', status: 'approved', orderId: '9' })
  expect(told).toMatchObject([{ kind: 'outcome', status: 'approved', orderId: '9', amount: '1042' }])
  expect(asked.at(-1)).toBe('9')
  await journal.close()
})

test('It is asked for once more if it is not final yet', async () => {
  const { journal, told, chargeOf, settle, show } = await lostCharge('processing')
  await expect(settle('take-status')).rejects.toThrow('ask again')
  show('declined')
  await settle('ask-again')
  expect(await chargeOf()).toMatchObject({ state: 'REVIEW', reviewReason: 'ORDER_DIFFERS' })
  await settle('take-status')
  expect(told).toMatchObject([{ kind: 'outcome', status: 'declined', orderId: '9' }])
  await journal.close()
})

test('It is not shown to the operator again if nothing was charged, unless it changes', async () => {
  const { journal, clock, told, asked, events, chargeOf, settle, show } = await lostCharge('processing')
  await settle('nothing-charged')
  await clock.goOn(60_000)
  expect([await chargeOf(), events]).toMatchObject([{ state: 'PRESUMED_ABSENT', orderId: undefined }, ['REVIEW']])
  show('approved')
  await clock.goOn(60_000)
  expect([await chargeOf(), events]).toMatchObject([{ state: 'REVIEW', orderId: undefined }, ['REVIEW', 'REVIEW']])
  // Which order it is was never decided, so the one of our id is asked for.
  expect([told, new Set(asked)]).toEqual([[], new Set([asked[0]])])
  await journal.close()
})

test('Another one is shown to the operator, even if it looks the same', async () => {
  const { journal, clock, told, chargeOf, settle, show } = await lostCharge()
  await settle('nothing-charged')
  show('approved', '10')
  await clock.goOn(60_000)
  expect(await chargeOf()).toMatchObject({ state: 'REVIEW', reviewReason: 'ORDER_DIFFERS' })
  await settle('take-status')
  expect(told).toMatchObject([{ kind: 'outcome', status: 'approved', orderId: '10' }])
  await journal.close()
})
