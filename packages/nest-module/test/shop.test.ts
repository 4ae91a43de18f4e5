import { Inject, Injectable, Module } from '@nestjs/common'
import { memoryJournalStore } from '@tallystick/journal'
import { type NoticeEvent, type PaidEvent, Payments, type PaymentsEvent, type ResultEvent } from '@tallystick/payments'
import { cards, startGateway, type TestGateway, testControlKey } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { InjectPayments, OnNotice, OnPaid, OnResult, PaymentsModule, type ShopModuleOptions } from '../src/index.ts'
import { PLATFORMS, startApp } from './support.ts'

const order = {
  amount: '10.42',
  currency: 'EUR',
  description: 'Tea',
  customer: {
    email: 'a@example.com',
    phone: '+49301234567',
    address1: 'Main st 1',
    city: 'Berlin',
    zipCode: '10115',
    country: 'DE',
    ip: '203.0.113.7',
  },
}

/** What the service was called with, in order. */
const heard: unknown[] = []

@Injectable()
class Invoices {
  readonly payments: Payments

  constructor(@Inject(Payments) payments: Payments) {
    this.payments = payments
  }

  @OnPaid()
  book({ payment }: PaidEvent<undefined>): void {
    heard.push(['paid', payment.key, payment.amount])
  }

  @OnNotice()
  look({ notice }: NoticeEvent<undefined>): void {
    heard.push([notice.kind, notice.key, notice.amount])
  }

  @OnResult()
  note({ result }: ResultEvent<undefined>): void {
    heard.push([result.operation, result.key, result.status])
  }
}

let gateway: TestGateway
beforeEach(async () => {
  heard.length = 0
  gateway = await startGateway()
})
afterEach(() => gateway.close())

/** The options of a shop whose address is known once it listens. */
function shopAt(
  address: { url: string },
  changes: Partial<ShopModuleOptions<undefined>> = {},
): ShopModuleOptions<undefined> {
  return {
    gateway: gateway.merchant,
    database: memoryJournalStore(),
    shopUrl: () => address.url,
    journal: { clock: gateway.clock },
    onEvent: () => {},
    ...changes,
  }
}

describe.each(PLATFORMS)('a shop in one object, on %s', (_platform, adapter) => {
  test('pays, hears of it once, and shows the customer a page', async () => {
    const address = { url: '' }
    const shop = { imports: [PaymentsModule.forRoot(shopAt(address))], providers: [Invoices] }
    const { app, url } = await startApp(adapter, shop)
    address.url = url
    const { payments } = app.get(Invoices)
    const { location = '' } = await payments.pay('invoice 77', order)
    const { to, fields } = await gateway.payOnPages(location, cards.approved)
    await payments.journal.settled()
    const page = await fetch(to, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'accept-language': 'de' },
    })
    expect(await page.text()).toContain('Ihre Zahlung ist eingegangen.')
    const again = await payments.pay('invoice 78', order)
    await gateway.payOnPages(again.location ?? '', cards.insufficientFunds)
    const [, sold] = await gateway.orders()
    await gateway.chargeback(sold?.orderId ?? '', '4.00')
    await gateway.clock.advance('1d')
    await payments.journal.settled()
    expect(heard).toEqual([
      ['paid', 'invoice 77', '10.42'],
      ['saleForm', 'invoice 78', 'declined'],
      ['chargeback', 'invoice 77', '4.00'],
    ])
  })

  test('has injected settings, a name, a path of its own, and the global prefix in its address', async () => {
    const address = { url: '' }
    @Module({ providers: [{ provide: 'address', useValue: address }], exports: ['address'] })
    class Settings {}
    @Injectable()
    class Booking {
      readonly payments: Payments

      constructor(@InjectPayments('eu') payments: Payments) {
        this.payments = payments
      }

      @OnPaid({ instance: 'eu' })
      book({ payment }: PaidEvent<undefined>): void {
        heard.push(['paid', payment.key])
      }
    }
    const imports = [
      PaymentsModule.forRootAsync({
        name: 'eu',
        path: 'eu/pay',
        imports: [Settings],
        inject: ['address'],
        useFactory: (given: { url: string }) => shopAt(given, { onNotice: 'ignore' }),
      }),
    ]
    const prepare = (app: { setGlobalPrefix(prefix: string): unknown }) => void app.setGlobalPrefix('api')
    const { app, url } = await startApp(adapter, { imports, providers: [Booking] }, { prepare })
    address.url = `${url}/api`
    const { payments } = app.get(Booking)
    const { to } = await gateway.payOnPages((await payments.pay('invoice 79', order)).location ?? '', cards.approved)
    await payments.journal.settled()
    expect(heard).toEqual([['paid', 'invoice 79']])
    expect(to).toBe(`${url}/api/eu/pay/return`)
  })

  test('does not start with a wrong key, and says so', async () => {
    const events: PaymentsEvent[] = []
    const merchant = { ...gateway.merchant, controlKey: testControlKey() }
    const onEvent = (event: PaymentsEvent) => void events.push(event)
    const imports = [PaymentsModule.forRoot(shopAt({ url: 'http://127.0.0.1:1' }, { gateway: merchant, onEvent }))]
    await expect(startApp(adapter, { imports, providers: [Invoices] })).rejects.toThrow(/^Wrong key/)
    expect(events).toMatchObject([{ type: 'WRONG_KEY' }])
  })

  test('does not start if notices are ignored beside a method that takes them', async () => {
    const imports = [PaymentsModule.forRoot(shopAt({ url: 'http://127.0.0.1:1' }, { onNotice: 'ignore' }))]
    await expect(startApp(adapter, { imports, providers: [Invoices] })).rejects.toThrow(
      /@OnNotice\(\) are never called/,
    )
  })

  test('does not start if nothing takes payments or notices', async () => {
    const imports = [PaymentsModule.forRoot(shopAt({ url: 'http://127.0.0.1:1' }))]
    await expect(startApp(adapter, { imports })).rejects.toThrow(
      /nothing takes the payments of the instance default: give a method @OnPaid\(\)\n.*give a method @OnNotice\(\)/,
    )
  })
})

test.each([
  ['a misspelt option', { shopURL: 'x' }, /did you mean shopUrl/],
  ['no database', { database: undefined }, /database must be given/],
] as const)('a wrong option is named: %s', (_what, change, message) => {
  // @ts-expect-error: a program without types
  expect(() => PaymentsModule.forRoot({ ...shopAt({ url: 'http://127.0.0.1:1' }), ...change })).toThrow(message)
})
