import { expect, test } from 'vitest'
import { desk, MONEY, refusal, shopKeys } from '../support/desk.ts'
import { recurringDesk } from '../support/recurring.ts'

const EUROS = { amount: '4.00', currency: 'EUR' }

test('[F-D7] a return of a preauth whose captures are returned says that a void is meant while a part is held', async () => {
  const { preauth, capture, return: giveBack, void: cancel, shown } = desk()
  const ids = await preauth()
  await capture(ids, EUROS)
  await giveBack(ids)
  expect(refusal(await giveBack(ids))).toBe(
    '9: Refused by rule G5-07: nothing that was captured is left to return, but a part is still on hold: void it.',
  )
  expect(await cancel(ids)).toMatchObject({ http: '200' })
  expect((await shown(ids)).slice(0, 2)).toEqual(['approved', 'cancel'])
  expect(refusal(await giveBack(ids))).toMatch(/G5-07: nothing is left on the order/)
})

test('[F-D7] a transfer that was paid with a token shows it in its status', async () => {
  const { profile, askOAuth, told } = recurringDesk()
  const id = await profile({ 'start-date': '2030-02-01' })
  const transfer = { ...MONEY, card_recurring_payment_id: id, 'destination-card-no': '4444555566661111' }
  const signing = { method: 'RSA-SHA256', key: shopKeys.privateKey }
  expect(await askOAuth('/api/v4/transfer', { client_orderid: 't-1', ...transfer }, signing)).toMatchObject({
    http: '200',
  })
  expect(await told({ client_orderid: 't-1' })).toMatchObject({
    'transaction-type': 'transfer',
    'recurring-payment-id': id,
  })
})
