import { type Exchange, undiciTransport } from '@tallystick/client'
import { cards, refusalFixture } from '@tallystick/testing'
import { expect, test } from 'vitest'
import { openShop, order } from './shop.ts'

/** The order of a customer who has moved to another network. */
const from = (ip: string) => ({ ...order, customer: { ...order.customer, ip } })

test('a customer who presses again on another network gets the same form, and pays after a decline', async () => {
  const { gateway, payments, comeBack } = await openShop()
  const form = (await payments.pay('invoice 1', from('203.0.113.7'))).location
  expect((await payments.pay('invoice 1', from('198.51.100.9'))).location).toBe(form)
  await comeBack(form, cards.insufficientFunds)
  await comeBack((await payments.pay('invoice 1', from('192.0.2.44'))).location)
  expect((await gateway.orders()).map(({ status }) => status).toSorted()).toEqual(['approved', 'declined'])
})

test.for([
  ['confirms', 'paid'],
  ['fails', 'declined'],
  ['cancels', 'declined'],
] as const)('the bank asks the customer, who %s: the payment is %s', async ([answer, show]) => {
  const { gateway, payments, paid } = await openShop()
  const { location = '' } = await payments.pay('invoice 2', order)
  await gateway.payOnPages(location, cards.threeDsChallenge, answer)
  await payments.journal.settled()
  expect((await payments.find('invoice 2'))?.show).toBe(show)
  expect(paid).toHaveLength(show === 'paid' ? 1 : 0)
})

test('a payment that is refunded in part and then charged back is told of three times, once as paid', async () => {
  const { gateway, payments, paid, results, notices, comeBack } = await openShop()
  await comeBack((await payments.pay('invoice 3', order)).location)
  const [sold] = await gateway.orders()
  gateway.forOrder(sold?.clientOrderId ?? '').chargeBackAfterReturn()
  await payments.refund('refund 1 of invoice 3', {
    payment: 'invoice 3',
    amount: '1.00',
    currency: 'EUR',
    comment: 'a broken cup',
  })
  await gateway.clock.advance('2d')
  await payments.journal.settled()
  expect([paid.length, results, notices]).toMatchObject([
    1,
    [{ key: 'refund 1 of invoice 3', status: 'approved', amount: '1.00' }],
    [{ key: 'invoice 3', kind: 'chargeback', kept: '0.00' }],
  ])
})

test('a form whose request never arrived opens again, once the gateway has said so for long enough', async () => {
  const { gateway, payments, comeBack } = await openShop()
  gateway.next('saleForm').loseReplyBeforeCommit()
  expect((await payments.pay('invoice 4', order)).show).toBe('checking')
  for (const other of [5, 6, 7, 8, 9]) {
    await gateway.clock.advance('10m')
    await payments.pay(`invoice ${other}`, order) // the gateway knows the orders of others
    await payments.journal.settled()
  }
  await comeBack((await payments.pay('invoice 4', order)).location)
  expect((await payments.find('invoice 4'))?.show).toBe('paid')
})

test('a customer who goes back to mend their address gets the same form, and is paid once', async () => {
  const { gateway, payments, paid, events, comeBack } = await openShop()
  const form = (await payments.pay('invoice 14', order)).location
  const mended = { ...order, description: 'Tea, green', customer: { ...order.customer, address1: 'Main st 2' } }
  expect((await payments.pay('invoice 14', mended)).location).toBe(form)
  await comeBack(form)
  expect((await payments.pay('invoice 14', mended)).show).toBe('paid')
  expect([paid.length, events]).toEqual([1, []])
  expect(await gateway.orders()).toHaveLength(1)
})

test.for([
  ['amount', { amount: '10.43' }],
  ['currency', { currency: 'USD' }],
  ['operation', { operation: 'preauthForm' }],
] as const)('another %s is another order: for a person, while the form is open', async ([, change]) => {
  const { gateway, payments } = await openShop()
  await payments.pay('invoice 15', order)
  expect((await payments.pay('invoice 15', { ...order, ...change })).show).toBe('contact-us')
  expect(await gateway.orders()).toHaveLength(1)
})

test('after a deploy to another address, an open form goes on', async () => {
  let shopUrl = 'https://old.example.com'
  const { payments } = await openShop({ shopUrl: () => shopUrl })
  const { location } = await payments.pay('invoice 10', order)
  shopUrl = 'https://new.example.com'
  expect((await payments.pay('invoice 10', order)).location).toBe(location)
})

test('if an invoice changes, its open form has to end first, but after a decline it can be paid at once', async () => {
  const { payments, comeBack } = await openShop()
  const before = { ...order, amount: '9.00' }
  const open = (await payments.pay('invoice 11', before)).location
  await comeBack((await payments.pay('invoice 12', before)).location, cards.insufficientFunds)
  expect((await payments.pay('invoice 11', order)).show).toBe('contact-us')
  await comeBack((await payments.pay('invoice 12', order)).location)
  expect((await payments.find('invoice 12'))?.show).toBe('paid')
  await comeBack(open)
  expect((await payments.find('invoice 11'))?.show).toBe('paid')
})

test.for([
  ['is away', 'try-again', { kind: 'not-sent', seen: 'nobody listens' }],
  ['refuses it', 'contact-us', { kind: 'replied', ...refusalFixture('validation-error', 'json') }],
] as const)('while the gateway %s, each press sends one request, and a later press can pay', async ([, show, seen]) => {
  const { gateway } = await openShop()
  let asked = 0
  const wire = undiciTransport()
  const send: typeof wire.send = async (request, options): Promise<Exchange> => {
    const isRefused = request.url.includes('/sale-form/') && ++asked <= 7
    return isRefused ? seen : await wire.send(request, options)
  }
  const client = gateway.client({ transport: { ...wire, send } })
  const { payments } = await openShop({ gateway: client })
  for (let presses = 1; presses <= 7; presses++) expect((await payments.pay('invoice 13', order)).show).toBe(show)
  expect(asked).toBe(7)
  expect((await payments.pay('invoice 13', order)).show).toBe('redirect')
  expect(await gateway.orders()).toHaveLength(1)
})
