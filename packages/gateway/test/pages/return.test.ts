import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/index.ts'
import { LANGUAGES } from '../../src/texts/languages.ts'
import { deciding, UNKNOWN, undecided } from '../support/acquirers.ts'
import { merchants, PAYER, SHOP } from '../support/signed-requests.ts'
import { actionOf, counter, fieldsOf, TYPED } from './browser.ts'
import { NEW_STORES } from './new-stores.ts'

/** sha1(status + orderid + client_orderid + key), by the words of gaps part 6. */
function control(status: string, { client_orderid, orderid }: { client_orderid: string; orderid: string }) {
  return createHash('sha1').update(`${status}${orderid}${client_orderid}${SHOP.controlKey}`).digest('hex')
}

describe.each(NEW_STORES)('the way back to the merchant, on a store in %s', (_, newStore) => {
  test('[G6-10] after an approval the browser posts the documented fields and the control to redirect_url', async () => {
    const { openForm, submit } = counter({ store: newStore() })
    const { address, ids } = await openForm()
    const page = await submit(address, TYPED)
    expect(page.status).toBe(200)
    expect(actionOf(page)).toBe('https://shop.example.com/return')
    expect(fieldsOf(page)).toEqual({
      status: 'approved',
      orderid: ids.orderid,
      client_orderid: ids.client_orderid,
      merchant_order: ids.client_orderid,
      control: control('approved', ids),
      type: 'sale',
      amount: '34.00',
      bin: '444433',
      'last-four-digits': '1111',
      'card-type': 'VISA',
      'card-holder-name': 'JOHN SMITH',
      phone: '+4930123456',
      'processor-tx-id': `PNTEST-${ids.orderid}`,
    })
  })

  test.for([
    ['101', '101', 'Expired card'],
    ['116', '116', 'Not sufficient funds'],
    ['555', '100', 'Do not honour'],
  ] as const)('[G6-10] after a decline of CVV %s it says why', async ([cvv2, error_code, error_message]) => {
    const { openForm, submit } = counter({ store: newStore() })
    const { address, ids } = await openForm('/api/v2/preauth-form')
    expect(fieldsOf(await submit(address, { ...TYPED, cvv2 }))).toMatchObject({
      status: 'declined',
      control: control('declined', ids),
      type: 'preauth',
      error_code,
      error_message,
    })
  })

  test('an outcome that is still unknown after a while is shown as unknown', async () => {
    const acquirer = deciding({ lookup: async () => UNKNOWN })
    const { openForm, submit, open, clock } = counter({ store: newStore(), acquirer })
    const { address, ids } = await openForm()
    const waiting = await submit(address, { ...TYPED, cvv2: '217' })
    expect([waiting.status, waiting.headers['refresh'], actionOf(waiting)]).toEqual([200, '2', undefined])
    await clock.advance('90s')
    expect(fieldsOf(await open(address))).toMatchObject({ status: 'unknown', control: control('unknown', ids) })
  })
})

describe('where the browser goes', () => {
  const addresses = {
    redirect_url: 'https://shop.example.com/any',
    redirect_success_url: 'https://shop.example.com/thanks',
    redirect_fail_url: 'https://shop.example.com/sorry',
  }

  test.for([
    ['123', addresses, 'https://shop.example.com/thanks'],
    ['101', addresses, 'https://shop.example.com/sorry'],
    ['123', { redirect_fail_url: addresses.redirect_fail_url }, 'https://shop.example.com/return'],
    ['101', { redirect_success_url: addresses.redirect_success_url }, 'https://shop.example.com/return'],
    ['101', { redirect_url: 'https://shop.example.com/r?a=1&b="2"' }, 'https://shop.example.com/r?a=1&b="2"'],
  ] as const)('after CVV %s with %o it is %s', async ([cvv2, fields, expected]) => {
    const { openForm, submit } = counter()
    const { address } = await openForm('/api/v2/sale-form', fields)
    expect(actionOf(await submit(address, { ...TYPED, cvv2 }))).toBe(expected)
  })

  test('without an outcome it is redirect_url: nothing has failed', async () => {
    const acquirer = deciding({ lookup: async () => UNKNOWN })
    const { openForm, submit, open, clock } = counter({ acquirer })
    const { address } = await openForm('/api/v2/sale-form', addresses)
    await submit(address, { ...TYPED, cvv2: '217' })
    await clock.advance('90s')
    expect(actionOf(await open(address))).toBe('https://shop.example.com/any')
  })

  test('the policy of the page lets its one form go there, and to other hosts that the merchant redirects to', async () => {
    const { openForm, submit } = counter()
    const { address } = await openForm()
    const { headers } = await submit(address, TYPED)
    expect(headers['content-security-policy']).toContain('; form-action https:')
    const plain = await openForm('/api/v2/sale-form', { redirect_url: 'http://shop.example.com/' })
    expect((await submit(plain.address, TYPED)).headers['content-security-policy']).toMatch(/form-action http: https:$/)
  })

  test('[S1-14] a verification goes back without an amount, and a payout as a payout', async () => {
    const { openForm, submit } = counter()
    const verification = await openForm('/api/v2/account-verification-form')
    const back = fieldsOf(await submit(verification.address, TYPED))
    expect(back).toMatchObject({ status: 'approved', type: 'account verification' })
    expect(back).not.toHaveProperty('amount')
    const payout = await openForm('/api/v2/payout-form')
    const fields = { way: 'card', 'card-credit_card_number': TYPED.credit_card_number }
    expect(fieldsOf(await submit(payout.address, fields))).toMatchObject({ status: 'approved', type: 'payout' })
  })

  test('while nothing is decided the page waits and reloads', async () => {
    const { execute, decide } = undecided()
    const { openForm, send, open, gateway } = counter({ acquirer: deciding({ execute }) })
    const { address } = await openForm()
    expect((await send(address, TYPED)).status).toBe(303)
    expect((await open(address)).headers['refresh']).toBe('2')
    decide({ status: 'approved', approvalCode: '123456', processorTxId: 'tx' })
    await gateway.settled()
    expect(fieldsOf(await open(address))).toMatchObject({ status: 'approved' })
  })

  test('later operations on the order do not change the outcome of the payment', async () => {
    const { openForm, submit, open, void: cancel } = counter()
    const { address, ids } = await openForm()
    await submit(address, TYPED)
    await cancel(ids)
    expect(fieldsOf(await open(address))).toMatchObject({
      status: 'approved',
      type: 'sale',
      control: control('approved', ids),
    })
  })

  test('long after the end the way back is not shown any more', async () => {
    const { openForm, submit, open, clock } = counter()
    const { address } = await openForm()
    await submit(address, TYPED)
    await clock.advance('30m')
    expect((await open(address)).status).toBe(200)
    await clock.advance('1s')
    const gone = await open(address)
    expect([gone.status, fieldsOf(gone)]).toEqual([410, {}])
  })
})

describe('whether money has moved', () => {
  const PAID = ['The payment was made.', 'Die Zahlung ist erfolgt.'] as const
  const RESERVED = ['The amount is reserved on your card.', 'Der Betrag ist auf Ihrer Karte reserviert.'] as const
  const VERIFIED = ['Your card was verified, and nothing was charged.', 'und es wurde nichts abgebucht.'] as const
  const SENT = ['The money has been sent.', 'Das Geld wurde gesendet.'] as const
  const FAILED = ['It did not work, and no money has moved.', 'es ist kein Geld geflossen.'] as const
  const UNDONE = ['It was undone later', 'Es wurde später rückgängig gemacht'] as const
  const UNDECIDED = ['please do not pay again', 'bitte zahlen Sie nicht noch einmal'] as const
  const TO_CARD = { way: 'card', 'card-credit_card_number': TYPED.credit_card_number }

  test.for([
    ['a sale', '/api/v2/sale-form', TYPED, PAID],
    ['a payment', '/api/v2/payment-form', TYPED, PAID],
    ['a preauth', '/api/v2/preauth-form', TYPED, RESERVED],
    ['a verification', '/api/v2/account-verification-form', TYPED, VERIFIED],
    ['a payout', '/api/v2/payout-form', TO_CARD, SENT],
    ['a declined sale', '/api/v2/sale-form', { ...TYPED, cvv2: '101' }, FAILED],
  ] as const)('is on the way back, and long after it, in every language: %s', async ([, path, typed, said]) => {
    for (const { tag } of LANGUAGES) {
      const { openForm, submit, open, clock } = counter()
      const { address } = await openForm(path, { preferred_language: tag })
      const expected = said[tag === 'en' ? 0 : 1]
      expect(await submit(address, typed)).toMatchObject({ status: 200, body: expect.stringContaining(expected) })
      await clock.advance('31m')
      expect(await open(address)).toMatchObject({ status: 410, body: expect.stringContaining(expected) })
    }
  })

  test('is said of a form that nobody filled in', async () => {
    const { openForm, open, clock } = counter()
    const { address } = await openForm()
    await clock.advance('61m')
    expect(await open(address)).toMatchObject({ status: 410, body: expect.stringContaining(FAILED[0]) })
  })

  test.for([
    ['/api/v2/sale-form', ['void'], UNDONE],
    ['/api/v2/preauth-form', ['void'], UNDONE],
    ['/api/v2/preauth-form', ['capture'], PAID],
    ['/api/v2/preauth-form', ['capture', 'return'], UNDONE],
  ] as const)('is said as it is by now: %s, then %s', async ([path, actions, [expected]]) => {
    const { openForm, submit, open, clock, ...shop } = counter()
    const { address, ids } = await openForm(path)
    await submit(address, TYPED)
    for (const action of actions) await shop[action](ids)
    expect((await open(address)).body).toContain(expected)
    await clock.advance('31m')
    expect(await open(address)).toMatchObject({ status: 410, body: expect.stringContaining(expected) })
  })

  test('is not said while it is not known, even if the merchant is not configured any more', async () => {
    const store = memoryStore()
    const acquirer = deciding({ lookup: async () => UNKNOWN })
    const { openForm, submit, clock } = counter({ store, acquirer })
    const { address } = await openForm()
    await submit(address, { ...TYPED, cvv2: '217' })
    await clock.advance('90s')
    const others = merchants().filter(({ login }) => login !== SHOP.login)
    const later = counter({ store, acquirer, clock, merchants: others })
    expect(await later.open(address)).toMatchObject({ status: 410, body: expect.stringContaining(UNDECIDED[0]) })
  })

  test('is all that the page tells long after: no amount, no order number, no card and no payer', async () => {
    const { openForm, submit, open, clock } = counter()
    const { address, ids } = await openForm()
    await submit(address, TYPED)
    await clock.advance('31m')
    const { body } = await open(address)
    for (const known of [
      '34',
      '444433',
      '1111',
      'SMITH',
      PAYER.email,
      ids.orderid,
      ids.client_orderid,
      'shop.example',
    ]) {
      expect(body.replace(/<style.*<\/style>/s, '')).not.toContain(known)
    }
  })
})
