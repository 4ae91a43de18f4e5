import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deciding, UNKNOWN, undecided } from '../support/acquirers.ts'
import { SHOP } from '../support/signed-requests.ts'
import { actionOf, counter, fieldsOf, TYPED } from './browser.ts'
import { NEW_STORES } from './new-stores.ts'

/** sha1(status + orderid + client_orderid + key), in the words of part 6 of the gaps. */
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
    expect([gone.status, fieldsOf(gone), gone.body.includes('444433')]).toEqual([410, {}, false])
  })
})
