import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { merchantCredentials } from '@tallystick/client'
import { memoryJournalStore } from '@tallystick/journal'
import { cards, startGateway, testControlKey } from '@tallystick/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPayments } from '../src/index.ts'
import { openShop, order } from './shop.ts'

describe('a payment on the hosted form', () => {
  test('is paid once however often the button is pressed, and told once', async () => {
    const { gateway, payments, paid, results, comeBack } = await openShop()
    const first = await payments.pay('invoice 77', order)
    const second = await payments.pay('invoice 77', order)
    expect(first.show).toBe('redirect')
    expect(second.location).toBe(first.location)
    await comeBack(first.location)
    expect(await payments.pay('invoice 77', order)).toMatchObject({
      show: 'paid',
      location: undefined,
      error: undefined,
    })
    expect(paid).toMatchObject([{ key: 'invoice 77', amount: '10.42', currency: 'EUR', details: { amount: '1042' } }])
    expect(results).toEqual([])
    expect(await gateway.orders()).toHaveLength(1)
  })

  test('that is declined is a result and no payment, and the next press pays', async () => {
    const { payments, paid, results, comeBack } = await openShop()
    await comeBack((await payments.pay('invoice 78', order)).location, cards.insufficientFunds)
    expect((await payments.find('invoice 78'))?.show).toBe('declined')
    expect(paid).toEqual([])
    expect(results).toMatchObject([{ key: 'invoice 78', operation: 'saleForm', status: 'declined' }])
    await comeBack((await payments.pay('invoice 78', order)).location)
    expect(paid).toMatchObject([{ key: 'invoice 78', amount: '10.42' }])
  })

  test('that expires may be tried again', async () => {
    const { gateway, payments } = await openShop()
    await payments.pay('invoice 79', order)
    await gateway.clock.advance('31m')
    await payments.journal.settled()
    expect((await payments.find('invoice 79'))?.show).toBe('try-again')
    expect((await payments.pay('invoice 79', order)).show).toBe('redirect')
  })

  test('whose reply is lost is being checked, and no second order is opened', async () => {
    const { gateway, payments, events } = await openShop()
    gateway.next('saleForm').loseReplyAfterCommit()
    expect((await payments.pay('invoice 80', order)).show).toBe('checking')
    expect((await payments.pay('invoice 80', order)).show).toBe('checking')
    expect(await gateway.orders()).toHaveLength(1)
    expect(events).toMatchObject([{ type: 'PAYMENT_UNKNOWN', key: 'invoice 80', error: { code: 'NO_REPLY' } }])
  })

  test('of another amount than before is for a person, and the event says why', async () => {
    const { payments, events } = await openShop()
    await payments.pay('invoice 81', order)
    expect((await payments.pay('invoice 81', { ...order, amount: '9.00' })).show).toBe('contact-us')
    expect(events).toMatchObject([
      { type: 'PAYMENT_FAILED', key: 'invoice 81', message: expect.stringContaining('the amount has changed') },
    ])
  })

  test('with a field that is wrong is not sent, and the event names the field', async () => {
    const { gateway, payments, events } = await openShop()
    const shown = await payments.pay('invoice 82', { ...order, amount: '10.421' })
    expect(shown).toMatchObject({ show: 'contact-us', error: { code: 'INVALID_INPUT' } })
    expect(events).toMatchObject([
      { type: 'PAYMENT_FAILED', key: 'invoice 82', message: expect.stringContaining('amount') },
    ])
    expect(await gateway.orders()).toEqual([])
  })

  test('that only holds the amount is no payment', async () => {
    const { payments, paid, results, comeBack } = await openShop()
    await comeBack((await payments.pay('invoice 83', { ...order, operation: 'preauthForm' })).location)
    expect(paid).toEqual([])
    expect(results).toMatchObject([{ operation: 'preauthForm', status: 'approved', amount: '10.42', currency: 'EUR' }])
  })

  test('of a customer who is missing is refused before anything is written', async () => {
    const { payments } = await openShop()
    // @ts-expect-error: a program without types
    await expect(payments.pay('invoice 84', { amount: '10.42', currency: 'EUR' })).rejects.toThrow(
      /must have a customer/,
    )
    expect(await payments.find('invoice 84')).toBeUndefined()
  })
})

describe('what happens later', () => {
  test('a chargeback is a notice and never a payment', async () => {
    const { gateway, payments, paid, notices, comeBack } = await openShop()
    await comeBack((await payments.pay('invoice 85', order)).location)
    const [sold] = await gateway.orders()
    await gateway.chargeback(sold?.orderId ?? '', '4.00')
    await gateway.clock.advance('1d')
    await payments.journal.settled()
    expect(notices).toMatchObject([
      { kind: 'chargeback', key: 'invoice 85', status: 'approved', amount: '4.00', kept: '6.42', currency: 'EUR' },
    ])
    expect(paid).toHaveLength(1)
    expect((await payments.find('invoice 85'))?.show).toBe('paid')
  })

  test('a refund is given once for its key, and is a result', async () => {
    const { gateway, payments, results, notices, comeBack } = await openShop()
    await comeBack((await payments.pay('invoice 86', order)).location)
    const part = { payment: 'invoice 86', amount: '1.00', comment: 'a broken cup' }
    for (let presses = 0; presses < 2; presses++) await payments.refund('refund 1 of invoice 86', part)
    await gateway.clock.advance('1m')
    await payments.journal.settled()
    expect(results).toMatchObject([
      { key: 'refund 1 of invoice 86', operation: 'return', status: 'approved', amount: '1.00' },
    ])
    expect(notices).toEqual([])
    expect(await gateway.orders()).toMatchObject([{ amount: '9.42' }])
  })

  test('a refund in another currency than the payment is refused, and is no refund', async () => {
    const { gateway, payments, comeBack } = await openShop()
    await comeBack((await payments.pay('invoice 92', order)).location)
    const inDollars = { payment: 'invoice 92', amount: '1.00', currency: 'USD', comment: 'a broken cup' }
    expect(await payments.refund('refund 1 of invoice 92', inDollars)).toMatchObject({ outcome: 'rejected' })
    expect(await gateway.orders()).toMatchObject([{ amount: '10.42' }])
  })

  test('what is not paid is not refunded', async () => {
    const { payments } = await openShop()
    await payments.pay('invoice 87', order)
    const all = { payment: 'invoice 87', comment: 'changed their mind' }
    await expect(payments.refund('refund 1 of invoice 87', all)).rejects.toThrow(/invoice 87 is not paid/)
  })
})

describe('the keys', () => {
  test('[F-C25] a wrong one is told at the start, by the payment and by ready, and nothing is sent', async () => {
    const { gateway, payments: _, ...shop } = await openShop()
    const events: unknown[] = []
    const payments = createPayments({
      gateway: { ...gateway.merchant, controlKey: testControlKey() },
      database: memoryJournalStore(),
      shopUrl: shop.url,
      onPaid: () => {},
      onNotice: 'ignore',
      onEvent: (event) => void events.push(event),
    })
    onTestFinished(() => payments.close())
    await expect(payments.ready()).rejects.toThrow(/^Wrong key, login or endpoint: compare /)
    const shown = await payments.pay('invoice 88', order)
    expect(shown).toMatchObject({ show: 'contact-us', intent: undefined, error: { code: 'AUTH_REJECTED' } })
    expect(await payments.find('invoice 88')).toBeUndefined()
    expect(events).toMatchObject([
      { type: 'WRONG_KEY', message: expect.stringMatching(/^Wrong key/) },
      { type: 'PAYMENT_FAILED', message: expect.stringMatching(/wrong key/i) },
    ])
    expect(await gateway.orders()).toEqual([])
  })

  test('once they are right, the same payments go on', async () => {
    const { gateway } = await openShop()
    const { login, controlKey } = gateway.merchant
    const client = gateway.client({ controlKey: testControlKey() })
    const { payments } = await openShop({ gateway: client, onEvent: () => {} })
    expect((await payments.pay('invoice 89', order)).show).toBe('contact-us')
    client.useCredentials(merchantCredentials({ login, controlKey }))
    expect((await payments.pay('invoice 89', order)).show).toBe('redirect')
  })

  test('while the gateway cannot be reached nothing is known of them, and a payment may be tried again', async () => {
    const { merchant } = (await openShop()).gateway
    const nowhere = { ...merchant, baseUrl: 'http://127.0.0.1:1/paynet', readAttempts: 1 }
    const { payments, events } = await openShop({ gateway: nowhere })
    await payments.ready()
    expect((await payments.pay('invoice 90', order)).show).toBe('try-again')
    expect(events).toMatchObject([{ type: 'KEY_UNCHECKED' }, { type: 'PAYMENT_FAILED', key: 'invoice 90' }])
  })
})

test('the name of a file is a database, and the handler gets its transaction', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const gateway = await startGateway({ socket: false })
  const rows: unknown[] = []
  const payments = createPayments({
    gateway: gateway.client(),
    database: join(folder, 'shop.db'),
    shopUrl: 'http://127.0.0.1:8080',
    onPaid: ({ payment, transaction }) => {
      transaction.exec('create table paid (key text)')
      transaction.prepare('insert into paid values (?)').run(payment.key)
      rows.push(...transaction.prepare('select key from paid').all())
    },
    onNotice: 'ignore',
    journal: { clock: gateway.clock },
  })
  const { location = '' } = await payments.pay('invoice 91', order)
  await gateway.payOnPages(location, cards.approved)
  await gateway.clock.advance('1m')
  await payments.journal.settled()
  expect(rows).toMatchObject([{ key: 'invoice 91' }])
  await payments.close()
  await gateway.close()
})

test.for([
  ['shopUrl', { shopUrl: 'shop.example.com' }, /shopUrl must be an address/],
  [
    'a database that is a server',
    { database: 'postgres://localhost/shop' },
    /database must be the name of an SQLite file/,
  ],
  ['onNotice', { onNotice: undefined }, /onNotice must be given/],
  ['a misspelt option', { shopURL: 'x' }, /did you mean shopUrl/],
  ['a path', { path: 'payments/' }, /path must be a path such as '\/payments'/],
  ['texts', { texts: { en: { payed: 'Thanks' } } }, /texts must be sentences/],
] as const)('a wrong option is named: %s', ([, change, message]) => {
  const right = {
    gateway: {
      baseUrl: 'https://gate.example.com/paynet',
      login: 'shop',
      controlKey: testControlKey(),
      endpointId: '1',
    },
    database: memoryJournalStore(),
    shopUrl: 'https://shop.example.com',
    onPaid: () => {},
    onNotice: 'ignore',
  }
  // @ts-expect-error: a program without types
  expect(() => createPayments({ ...right, ...change })).toThrow(message)
})
