import { afterEach, expect, test } from 'vitest'
import { type JournalShop, journalShop } from './shop.ts'

const MINUTE = 60_000
const payout = { amount: '25.00', currency: 'EUR', accountNumber: 'DE00 EXAMPLE', bankName: 'Bank of Willows' } as const

let shop: JournalShop
afterEach(() => shop.close())

async function checked(attempt?: number) {
  const { intent } = await shop.journal.pay('check of payout 7', 'payoutCheck', payout, attempt ? { attempt } : {})
  await shop.goOn(2, 5000)
  const [last] = (await shop.journal.attempts('check of payout 7')).slice(-1)
  expect(last).toMatchObject({ attempt: attempt ?? 1, state: 'FINAL', status: 'checked' })
  return { clientOrderId: intent.clientOrderId, orderId: last?.orderId ?? '' }
}

test('A payout whose check has expired is checked and paid by the next attempts of both, once it was refused', async () => {
  shop = await journalShop()
  const order = await checked()
  await shop.goOn(1, 16 * MINUTE)
  expect(await shop.journal.pay('payout 7', 'payoutPay', order)).toMatchObject({ outcome: 'rejected' })
  const again = await checked(2)
  expect(await shop.journal.pay('payout 7', 'payoutPay', again, { attempt: 2 })).toMatchObject({ outcome: 'accepted' })
  await shop.goOn(2, 5000)
  expect(shop.outcomes).toMatchObject([
    { kind: 'outcome', operation: 'payoutCheck', status: 'checked' },
    { kind: 'notice', operation: 'payoutCheck', status: 'declined', orderId: order.orderId },
    { kind: 'outcome', operation: 'payoutCheck', status: 'checked' },
    { kind: 'outcome', operation: 'payoutPay', status: 'approved', amount: '2500' },
  ])
})

test('A checked payout is not checked again under its key, neither before it is paid nor after', async () => {
  shop = await journalShop()
  const order = await checked()
  const again = () => shop.journal.pay('check of payout 7', 'payoutCheck', payout, { attempt: 2 })
  expect(await again()).toMatchObject({ outcome: 'final', intent: { attempt: 1 } })
  await shop.journal.pay('payout 7', 'payoutPay', order)
  await shop.goOn(2, 5000)
  expect(await again()).toMatchObject({ outcome: 'final', intent: { attempt: 1 } })
})

test('A payout is paid once, whatever the keys of its second step are called', async () => {
  shop = await journalShop()
  const order = await checked()
  const pay = (key: string) => shop.journal.pay(key, 'payoutPay', order)
  await pay('payout 7')
  expect(await pay('payout 7 again')).toMatchObject({ outcome: 'conflict', intent: { businessKey: 'payout 7' } })
  await shop.goOn(2, 5000)
  for (let times = 0; times < 2; times++) {
    expect(await pay('payout 7 again')).toMatchObject({
      outcome: 'paidBefore',
      intent: { rejection: 'withdrawn: the payout was paid before, as payout 7', sends: 0 },
    })
  }
  expect(shop.sent.filter((operation) => operation === 'payout-pay')).toHaveLength(1)
})
