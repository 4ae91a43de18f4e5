import { expect, test } from 'vitest'
import type { LimitReached } from '../../src/index.ts'
import { TYPED } from '../pages/browser.ts'
import { deciding } from '../support/acquirers.ts'
import { FORMULAS } from '../support/formulas.ts'
import { controlled, fieldsOf, form, PAYER, RIVAL, SALE, SHOP, sale } from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

/** A gateway with a bank of its own that approves one CVV, and what it was asked. */
function bank() {
  const reached: LimitReached[] = []
  const asked: string[] = []
  const acquirer = {
    ...deciding({
      prepare: async ({ card }) => {
        asked.push(card?.cvv?.reveal() ?? '')
        return { reference: card?.cvv?.reveal() ?? '', authenticates: false }
      },
      execute: async ({ prepared }) =>
        prepared === '777'
          ? { status: 'approved', approvalCode: '1', processorTxId: '2' }
          : { status: 'declined', errorCode: '100', errorMessage: 'No' },
    }),
    isSimulated: false,
  }
  const made = testGateway({ acquirer, onLimit: (each) => reached.push(each) })
  let orders = 0
  const pay = async (cvv2: string, signer = SHOP, changes = {}) => {
    const reply = await made.gateway.handle(sale({ client_orderid: `inv-${++orders}`, cvv2, ...changes }, signer))
    await made.gateway.settled()
    return reply
  }
  return { ...made, pay, asked, reached }
}

test('a card is tried ten times in an hour at most, whatever its CVV and expiry, and that of another merchant as before', async () => {
  const { pay, asked, reached, clock } = bank()
  const statuses: number[] = []
  for (let at = 0; at < 1000; at++) {
    const reply = await pay(String(at).padStart(3, '0'), SHOP, { expire_month: String((at % 12) + 1) })
    statuses.push(reply.status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(asked).toHaveLength(10)
  const refused = await pay('777')
  expect([refused.status, refused.headers['retry-after'], fieldsOf(refused)]).toMatchObject([
    429,
    '3600',
    {
      type: 'validation-error',
      'error-code': '13',
      'error-message':
        'This card was tried too often without being approved; nothing was created. Try another card, or later.',
    },
  ])
  expect(reached[0]).toEqual({ limit: 'tries-per-card', login: SHOP.login })
  expect((await pay('777', RIVAL)).status).toBe(200)
  expect((await pay('777', SHOP, { credit_card_number: '5555555555554444' })).status).toBe(200)
  await clock.advance('1h')
  expect((await pay('777')).status).toBe(200)
})

test('a card that is approved is used as often as its holder likes', async () => {
  const { pay } = bank()
  for (let at = 0; at < 30; at++) expect((await pay('777')).status).toBe(200)
})

test('in a sandbox, and with the simulator, a card is tried as often as a test likes', async () => {
  for (const options of [{ sandbox: true }, {}]) {
    const { gateway } = testGateway(options)
    for (let at = 0; at < 30; at++) {
      expect((await gateway.handle(sale({ client_orderid: `inv-${at}`, cvv2: '116' }))).status).toBe(200)
    }
    await gateway.settled()
  }
})

test('the tries on hosted forms count as well, and the customer is told in their language', async () => {
  const { gateway, pay } = bank()
  for (let at = 0; at < 10; at++) await pay('116')
  const fields = {
    ...PAYER,
    client_orderid: 'form-1',
    amount: '10.42',
    currency: 'EUR',
    redirect_url: 'https://shop.example.com/return',
  }
  const made = fieldsOf(await gateway.handle(controlled('/api/v2/sale-form', FORMULAS.paid, fields)))
  const url = new URL(made['redirect-url'] ?? '').pathname
  const typed = { ...TYPED, credit_card_number: SALE.credit_card_number, cvv2: '777' }
  const sent = (language: string) => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': language },
    body: form(typed),
  })
  const [english, german] = [await gateway.handle(sent('en')), await gateway.handle(sent('de'))]
  expect([english.status, english.headers['retry-after'], english.body]).toEqual([
    429,
    '3600',
    expect.stringContaining('This card was tried too often'),
  ])
  expect(german.body).toContain('Diese Karte wurde zu oft versucht')
})
