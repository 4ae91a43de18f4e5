import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Exchange, undiciTransport } from '@tallystick/client'
import '@tallystick/testing/vitest'
import {
  buildInput,
  type CustomerAnswer,
  cards,
  refusalFixture,
  signedCallback,
  startGateway,
  type TestCard,
  type TestGateway,
} from '@tallystick/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createShop, type Shop } from '../src/shop.ts'

let gateway: TestGateway
let shop: Shop
let server: Server
let url: string
let folder: string

beforeEach(async () => {
  gateway = await startGateway()
  folder = mkdtempSync(join(tmpdir(), 'shop-test-'))
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  shop = createShop({ client: gateway.client(), file: join(folder, 'shop.db'), url })
  server.on('request', shop.app)
})
afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  server.close()
  await shop.journal.close()
  await gateway.close()
  rmSync(folder, { recursive: true })
})

/** Presses the button. Gives where it leads: the gateway's page, or a page of the shop. */
async function press(invoice: string, sent: Record<string, string> = {}): Promise<string> {
  const { headers } = await fetch(`${url}/invoices/${invoice}/pay`, {
    method: 'POST',
    headers: sent,
    redirect: 'manual',
  })
  return headers.get('location') ?? ''
}

/**
 * Plays the customer on the gateway's pages, and at the bank if it asks. At the end the gateway has decided and called back, and
 * the shop's handler has been called. Gives where the shop redirects the returning browser.
 */
async function fillIn(form: string, card: TestCard, answer?: CustomerAnswer): Promise<string> {
  const { to, fields } = await gateway.payOnPages(form, card, answer)
  await shop.journal.settled()
  const { headers } = await fetch(to, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  return headers.get('location') ?? ''
}

/** The payments that the shop has recorded. */
function paid(): readonly unknown[] {
  return rowsOf('select invoice, status from paid')
}

function rowsOf(query: string): readonly unknown[] {
  const database = new DatabaseSync(join(folder, 'shop.db'))
  const rows = database.prepare(query).all()
  database.close()
  return rows.map((row) => ({ ...row }))
}

test('an approved payment is recorded once, and the button does not charge again', async () => {
  const form = await press('77')
  expect(await press('77')).toBe(form)
  expect(await fillIn(form, cards.approved)).toBe('/thanks?payment=approved')
  expect(paid()).toEqual([{ invoice: 'invoice 77', status: 'approved' }])
  expect(await press('77')).toBe('/thanks?payment=approved')
  const [order] = await gateway.orders()
  expect(order).toBeApproved()
  expect(order).toHaveBeenChargedOnce()
})

test('a payment that is refunded and charged back later is not recorded again', async () => {
  await fillIn(await press('84'), cards.approved)
  const [order] = await gateway.orders()
  if (order === undefined) throw new Error('There is no order')
  const { clientOrderId, orderId } = order
  gateway.forOrder(clientOrderId).chargeBackAfterReturn()
  await gateway.client().return({ clientOrderId, orderId, amount: '1.00', currency: 'EUR', comment: 'a broken cup' })
  await gateway.clock.advance('1d')
  const called = signedCallback(
    { status: 'approved', orderId, clientOrderId, type: 'chargeback' },
    gateway.merchant.controlKey,
  )
  expect((await fetch(`${url}/payments/callback?${called}`)).status).toBe(200)
  // The journal checks the status of an order at most once in two seconds.
  const told = () =>
    rowsOf("select outcome ->> 'transactionType' as type from journal_outcomes where handled_at is not null")
  await vi.waitFor(() => expect(told().at(-1)).toEqual({ type: 'chargeback' }), 10_000)
  expect(await gateway.orders()).toMatchObject([{ transactionType: 'chargeback' }])
  expect(paid()).toEqual([{ invoice: 'invoice 84', status: 'approved' }])
})

test('a declined payment is shown as declined, and the button pays again', async () => {
  const form = await press('78')
  await fillIn(form, cards.insufficientFunds)
  expect(paid()).toEqual([{ invoice: 'invoice 78', status: 'declined' }])
  expect(await (await fetch(`${url}/thanks?payment=declined`)).text()).toBe(
    'It was declined, and you were not charged.',
  )
  const again = await press('78')
  expect(again).not.toBe(form)
  expect(await press('78')).toBe(again)
  await fillIn(again, cards.approved)
  expect(paid()).toEqual(['declined', 'approved'].map((status) => ({ invoice: 'invoice 78', status })))
  expect(await gateway.orders()).toHaveBeenChargedOnce()
})

test('a customer who presses again on another network gets the same form, and pays after a decline', async () => {
  shop.app.set('trust proxy', true)
  const form = await press('83', { 'x-forwarded-for': '203.0.113.7' })
  expect(await press('83', { 'x-forwarded-for': '198.51.100.9' })).toBe(form)
  await fillIn(form, cards.insufficientFunds)
  await fillIn(await press('83', { 'x-forwarded-for': '192.0.2.44' }), cards.approved)
  expect(await gateway.orders()).toHaveBeenChargedOnce()
})

test.for([
  ['confirms', 'approved'],
  ['fails', 'declined'],
  ['cancels', 'declined'],
] as const)('the bank asks the customer, who %s: the payment is %s', async ([answer, status]) => {
  expect(await fillIn(await press('82'), cards.threeDsChallenge, answer)).toBe(`/thanks?payment=${status}`)
  expect(paid()).toEqual([{ invoice: 'invoice 82', status }])
})

test('a customer who lets the form expire is not charged, and the button pays again', async () => {
  const form = await press('81')
  await gateway.clock.advance('31m')
  await shop.journal.settled()
  expect(paid()).toEqual([{ invoice: 'invoice 81', status: 'error' }])
  const again = await press('81')
  expect(again).not.toBe(form)
  await fillIn(again, cards.approved)
  expect(await press('81')).toBe('/thanks?payment=approved')
  expect(await gateway.orders()).toHaveBeenChargedOnce()
})

test.for(['approved', 'declined', 'filtered', 'error'])('%s is final: the page asks nobody to wait', async (status) => {
  const page = await fetch(`${url}/thanks?payment=${status}`)
  expect(await page.text()).not.toMatch(/being checked/)
})

test('a browser that returns without a payment of this shop is not asked to wait for one', async () => {
  const body = new URLSearchParams({ client_orderid: 'of-another-shop', status: 'approved' })
  const page = await fetch(`${url}/payments/return`, { method: 'POST', body })
  expect([page.status, await page.text()]).toEqual([200, 'We do not know this payment.'])
})

test('a mistake of the shop is logged with its field, and is not shown as an unreachable gateway', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const mistaken = createShop({ client: gateway.client(), file: join(folder, 'other.db'), url: 'not an address' })
  server.off('request', shop.app).on('request', mistaken.app)
  expect(await press('80')).toBe('/thanks?payment=invalid')
  expect(log).toHaveBeenCalledWith('invoice 80', 'notSent', expect.stringContaining('redirectUrl'))
  await mistaken.journal.close()
  log.mockRestore()
})

test('after a lost reply, the customer is not asked to pay again and no second order is opened', async () => {
  gateway.next('saleForm').loseReplyAfterCommit()
  expect(await press('79')).toBe('/thanks?payment=unknown')
  expect(await press('79')).toBe('/thanks?payment=unknown')
  expect(await gateway.orders()).toHaveLength(1)
})

test('a form whose request never arrived opens again, once the gateway has said so for long enough', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  gateway.next('saleForm').loseReplyBeforeCommit()
  expect(await press('86')).toBe('/thanks?payment=unknown')
  for (const other of ['87', '88', '89', '90', '91']) {
    vi.setSystemTime(Date.now() + 10 * 60_000)
    await press(other) // the gateway knows the orders of others
    await shop.journal.settled()
  }
  await fillIn(await press('86'), cards.approved)
  expect(await press('86')).toBe('/thanks?payment=approved')
})

test('after a deploy to another address, an open form goes on', async () => {
  const open = await press('92')
  await shop.journal.close()
  shop = createShop({ client: gateway.client(), file: join(folder, 'shop.db'), url: 'https://shop.example.com' })
  server.removeAllListeners('request').on('request', shop.app)
  expect(await press('92')).toBe(open)
})

test('if an invoice changes, its open form has to end first, but after a decline it can be paid at once', async () => {
  /** Presses the button for the invoice as it was before. */
  const pressBefore = async (invoice: string) => {
    const { clientOrderId: _, ...form } = buildInput('saleForm', {
      amount: '9.00',
      redirectUrl: `${url}/payments/return`,
    })
    const { intent } = await shop.journal.pay(`invoice ${invoice}`, 'saleForm', form)
    return intent.redirectUrl ?? ''
  }
  const open = await pressBefore('93')
  await fillIn(await pressBefore('94'), cards.insufficientFunds)
  expect(await press('93')).toBe('/thanks?payment=conflict')
  await fillIn(await press('94'), cards.approved)
  expect(await press('94')).toBe('/thanks?payment=approved')
  await fillIn(open, cards.approved)
  expect(await press('93')).toBe('/thanks?payment=approved')
})

test.for([
  ['is away', 'notSent', { kind: 'not-sent', seen: 'nobody listens' }],
  ['refuses it', 'rejected', { kind: 'replied', ...refusalFixture('validation-error', 'json') }],
] as const)(
  'while the gateway %s, each press sends one request, and a later press can pay',
  async ([, shown, seen]) => {
    let asked = 0
    const wire = undiciTransport()
    const send: typeof wire.send = async (request, options): Promise<Exchange> => {
      const isRefused = request.url.includes('/sale-form/') && ++asked <= 7
      return isRefused ? seen : await wire.send(request, options)
    }
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const client = gateway.client({ transport: { ...wire, send } })
    const other = createShop({ client, file: join(folder, 'other.db'), url })
    server.off('request', shop.app).on('request', other.app)
    for (let presses = 1; presses <= 7; presses++) expect(await press('85')).toBe(`/thanks?payment=${shown}`)
    expect(asked).toBe(7)
    expect(await press('85')).toContain(gateway.merchant.baseUrl)
    expect(await gateway.orders()).toHaveLength(1)
    await other.journal.close()
    log.mockRestore()
  },
)
