import { describe, expect, test } from 'vitest'
import type { MerchantOptions } from '../../src/index.ts'
import { deciding, listening } from '../support/acquirers.ts'
import { merchants } from '../support/signed-requests.ts'
import { counter, FORM_OPERATIONS, fieldsOf, TYPED } from './browser.ts'
import { NEW_STORES } from './new-stores.ts'

const WRONG = { ...TYPED, credit_card_number: '4444 3333 2222 1112' }

describe.each(NEW_STORES)('a form, on a store in %s', (_, newStore) => {
  test('[S1-14] [S4-34] is shown, filled in once, and carried out', async () => {
    const { acquirer, executed } = listening()
    const { openForm, open, submit, shown, told } = counter({ store: newStore(), acquirer })
    const { address, ids } = await openForm()
    const page = await open(address)
    expect([page.status, page.body.includes('€34.00'), page.body.includes('Ten roses &amp; a card')]).toEqual([
      200,
      true,
      true,
    ])
    await submit(address, TYPED)
    expect(await shown(ids)).toEqual(['approved', 'sale', 'sale_approved', '34.00', '34.00'])
    expect(await told(ids)).toMatchObject({ 'card-type': 'VISA', bin: '444433', 'last-four-digits': '1111' })
    expect(executed).toMatchObject([{ reference: `${ids.orderid}-1`, kind: 'sale', amount: 3400n, currency: 'EUR' }])
  })

  test('the card of a form is in the vault: a reference may be made of it', async () => {
    const { openForm, submit, cardRef } = counter({ store: newStore() })
    const { address, ids } = await openForm()
    await submit(address, TYPED)
    expect(await cardRef(ids)).toMatch(/^\d{15}$/)
  })

  test('sent twice at once it charges once', async () => {
    const { acquirer, executed } = listening()
    const { openForm, send, open, gateway } = counter({ store: newStore(), acquirer })
    const { address } = await openForm()
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(address, TYPED)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(303))
    await gateway.settled()
    expect(executed).toHaveLength(1)
    expect(fieldsOf(await open(address))).toMatchObject({ status: 'approved' })
  })

  test('sent with another card after going back, it shows where the order is', async () => {
    const { acquirer, executed } = listening()
    const { openForm, submit, calls } = counter({ store: newStore(), acquirer })
    const { address } = await openForm('/api/v2/sale-form', { server_callback_url: 'https://shop.example.com/cb' })
    await submit(address, TYPED)
    const again = await submit(address, { ...TYPED, credit_card_number: '4485940822379130', cvv2: '101' })
    expect(fieldsOf(again)).toMatchObject({ status: 'approved', bin: '444433' })
    expect([executed.length, calls.length]).toEqual([1, 1])
    expect(fieldsOf(await submit(address, WRONG))).toMatchObject({ status: 'approved' })
  })

  test('three forms that cannot be accepted end the order, and the browser goes back', async () => {
    const { acquirer, executed } = listening()
    const { openForm, send, submit, shown, calls } = counter({ store: newStore(), acquirer })
    const { address, ids } = await openForm('/api/v2/sale-form', { server_callback_url: 'https://shop.example.com/cb' })
    const first = await send(address, WRONG)
    expect([first.status, first.body.includes('You can try 2 more times.')]).toEqual([422, true])
    const second = await send(address, { ...TYPED, cvv2: '' })
    expect([second.status, second.body.includes('This is the last try.')]).toEqual([422, true])
    const third = await submit(address, WRONG)
    expect(fieldsOf(third)).toMatchObject({ status: 'error', error_code: '13' })
    expect(await shown(ids)).toEqual(['error', 'sale', 'sale_failed', '0.00', '34.00'])
    expect(fieldsOf(await submit(address, TYPED))).toMatchObject({ status: 'error' })
    expect(executed).toEqual([])
    expect(calls).toEqual([expect.stringContaining('status=error')])
  })

  test('tries that are sent at once are all counted', async () => {
    const { openForm, send, open } = counter({ store: newStore() })
    const { address } = await openForm()
    const replies = await Promise.all(Array.from({ length: 5 }, () => send(address, WRONG)))
    expect(replies.map(({ status }) => status).sort((one, other) => one - other)).toEqual([303, 303, 303, 422, 422])
    expect(fieldsOf(await open(address))).toMatchObject({ status: 'error', error_code: '13' })
  })

  test('nobody fills it in: after its time the order ends, and the browser goes back', async () => {
    const { openForm, open, submit, shown, clock, calls } = counter({ store: newStore() })
    const { address, ids } = await openForm('/api/v2/preauth-form', { notify_url: 'https://shop.example.com/n' })
    await clock.advance(30 * 60_000 - 1)
    expect((await open(address)).body).toContain('name="credit_card_number"')
    await clock.advance(1)
    expect(await shown(ids)).toEqual(['error', 'preauth', 'auth_declined', '0.00', '34.00'])
    expect(fieldsOf(await open(address))).toMatchObject({ status: 'error', error_code: '12' })
    expect(fieldsOf(await submit(address, TYPED))).toMatchObject({ status: 'error', error_code: '12' })
    expect(calls).toEqual([expect.stringContaining('error_code=12')])
  })

  test('an order that was carried out in time is left alone when its time is over', async () => {
    const { openForm, submit, shown, clock, store } = counter({ store: newStore() })
    const { address, ids } = await openForm()
    await clock.advance('29m')
    await submit(address, TYPED)
    await clock.advance('2h')
    expect((await shown(ids))[0]).toBe('approved')
    expect(await store.claimTasks({ now: clock.now(), until: clock.now() + 1, limit: 9 })).toEqual([])
  })

  test('a gateway that starts again goes on with a form, its tries and its time', async () => {
    const store = newStore()
    const first = counter({ store })
    const { address } = await first.openForm()
    await first.send(address, WRONG)
    await first.send(address, WRONG)
    const { submit, recovered } = counter({ store, clock: first.clock })
    await recovered()
    expect(fieldsOf(await submit(address, WRONG))).toMatchObject({ status: 'error', error_code: '13' })
  })
})

describe('the time of a form', () => {
  test('is the endpoint’s own', async () => {
    const [shop, rival] = [{ login: 'shop', controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }, []]
    const merchants = [{ ...shop, endpoints: [{ id: '1111', formLifetime: '5m' as const }] }, ...rival]
    const { openForm, shown, clock } = counter({ merchants })
    const { ids } = await openForm()
    await clock.advance('4m')
    expect((await shown(ids))[0]).toBe('processing')
    await clock.advance('1m')
    expect((await shown(ids))[0]).toBe('error')
  })

  test('a form that is sent when its time is over is not accepted, even before the order has ended', async () => {
    const { openForm, send, store, clock } = counter()
    const { address, token } = await openForm()
    const order = await store.orderByPageToken(token)
    const late = counter({
      store: { ...store, commit: async () => ({ ok: false, conflict: 'order' }), claimTasks: async () => [] },
      clock,
    })
    await clock.advance('29m')
    expect((await send(address, TYPED)).status).toBe(303)
    expect(order?.operations[0]?.status).toBe('created')
    expect((await late.open(address)).status).toBe(200)
  })
})

test.for([
  ['always-2', 'JPY', '1000', '¥1,000.00'],
  ['iso-4217', 'JPY', '1000', '¥1,000'],
  ['iso-4217', 'USD', '1000', '$1,000.00'],
] as const)('[G13-06] by %s, a form of %s %s shows the amount as %s', async ([exponents, currency, amount, shown]) => {
  const { openForm, open } = counter({ profile: { exponents } })
  const { address } = await openForm('/api/v2/payout-form', { currency, amount })
  expect(/<p class="total">([^<]*)</.exec((await open(address)).body)?.[1]).toBe(shown)
})

describe('what the customer types', () => {
  const cases: ReadonlyArray<readonly [string, Record<string, string>, string]> = [
    ['a wrong digit', { credit_card_number: '4444333322221112' }, 'Check the card number'],
    ['no number', { credit_card_number: ' ' }, 'Enter the card number'],
    ['letters', { credit_card_number: 'four' }, 'Check the card number'],
    ['no expiry', { expiry: '' }, 'Enter month and year'],
    ['a month that is none', { expiry: '13/31' }, 'Enter month and year'],
    ['a month filled in that is none', { expiry: '2031-13' }, 'Enter month and year'],
    ['a month and white space without end', { expiry: `1${' '.repeat(20_000)}x` }, 'Enter month and year'],
    ['a card that has expired', { expiry: '11/29' }, 'This card has expired'],
    ['no CVV', { cvv2: '' }, 'Enter the code'],
    ['a CVV of two digits', { cvv2: '12' }, 'Enter 3 or 4 digits'],
    ['no name', { card_printed_name: '' }, 'Enter the name on the card'],
    ['a card number for a name', { card_printed_name: '4444 3333 2222 1111' }, 'Enter only the name, no number'],
    ['many digits for a name', { card_printed_name: '99a4444a333３a2222' }, 'Enter only the name, no number'],
  ]

  test.for(cases)('%s is shown beside its field', async ([, changes, text]) => {
    const { openForm, send } = counter()
    const { address } = await openForm()
    const { status, body } = await send(address, { ...TYPED, ...changes })
    const [name = ''] = Object.keys(changes)
    expect(status).toBe(422)
    expect(body).toMatch(new RegExp(`<span class="error" id="${name}-error">${text}`))
    expect(body).toMatch(new RegExp(`<a href="#${name}">[^<]+: ${text}`))
    expect(body).toMatch(new RegExp(`id="${name}"[^>]* aria-invalid="true"`))
    expect(body.match(/aria-invalid="true"/g)).toHaveLength(1)
    expect(body).toContain('<title>Error: Pay by card</title>')
  })

  test.for(['12/31', '12 / 31', '1231', '12/2031', '122031', '12-31', ' 12.31 ', '2031-12'])(
    'the expiry date %s is read as December 2031',
    async (expiry) => {
      const { openForm, submit, store } = counter()
      const { address, token } = await openForm()
      await submit(address, { ...TYPED, expiry })
      const order = await store.orderByPageToken(token)
      expect(order?.details.card).toMatchObject({ cardExpireMonth: '12', cardExpireYear: '2031' })
    },
  )

  test('a card is good until its month has ended everywhere on earth', async () => {
    const { openForm, submit, send, clock } = counter()
    await clock.advance('31d')
    await clock.advance('11h')
    const { address } = await openForm()
    expect(fieldsOf(await submit(address, { ...TYPED, expiry: '01/30' }))).toMatchObject({ status: 'approved' })
    await clock.advance('1h')
    const next = await openForm()
    expect((await send(next.address, { ...TYPED, expiry: '01/30' })).status).toBe(422)
  })

  test.for([
    [{ way: 'card', 'card-credit_card_number': '4444333322221111' }, { pan: true }],
    [{ way: 'card', 'card-credit_card_number': '4444\u20133333\u00a02222\u200b1111' }, { pan: true }],
    [
      { way: 'account', 'account-account_number': 'DE02120300000000202051', 'account-bank_name': 'A bank' },
      { accountNumber: 'DE02120300000000202051', bankName: 'A bank' },
    ],
    [{ way: 'wallet', 'wallet-destination_wallet': 'w-1' }, { wallet: 'w-1' }],
    [
      { way: 'wallet', 'wallet-destination_wallet': 'w-1', 'wallet-destination_wallet_type': 'Purse' },
      { wallet: 'w-1', walletType: 'Purse' },
    ],
    [
      { way: 'phone', 'phone-receiver_phone': '+4915123456789', 'phone-bank_name': 'A bank' },
      { phone: '+4915123456789', bankName: 'A bank' },
    ],
    [
      { way: 'account', 'account-account_number': '31926819', 'account-routing_number': '60-16-13' },
      { accountNumber: '31926819', routingNumber: '601613' },
    ],
    [
      { way: 'account', 'account-account_number': '31926819', 'account-bank_branch': 'Mitte' },
      { accountNumber: '31926819', bankBranch: 'Mitte' },
    ],
    [{ way: 'phone', 'phone-receiver_phone': '+49 151 2345 67 89' }, { phone: '+4915123456789' }],
    // As it is pasted from an address book: within marks of direction.
    [{ way: 'phone', 'phone-receiver_phone': '\u202d+49 151 23456789\u202c' }, { phone: '+4915123456789' }],
    [{ way: 'phone', 'phone-receiver_phone': '(415) 555-26.71' }, { phone: '(415)5552671' }],
  ] as const)('[S2-20] [S4-50] a payout form takes %o', async ([fields, expected]) => {
    const given: unknown[] = []
    const inner = listening().acquirer
    const acquirer = deciding({
      tokenize: async (instrument) => {
        const { pan, ...rest } = instrument.destination ?? {}
        given.push({
          ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value)),
          ...(pan && { pan: true }),
        })
        return await inner.tokenize(instrument)
      },
    })
    const { openForm, submit, shown } = counter({ acquirer })
    const { address, ids } = await openForm('/api/v2/payout-form')
    await submit(address, { 'wallet-destination_wallet_type': '', 'account-routing_number': '', ...fields })
    expect(given).toEqual([expected])
    expect(await shown(ids)).toEqual(['approved', 'payout', 'payout_approved', '34.00', '34.00'])
  })

  test.for([
    [
      { way: 'card', 'card-credit_card_number': '5555555555554444' },
      { 'dest-bin': '555555', 'dest-last-four-digits': '4444', 'dest-card-type': 'MASTERCARD' },
    ],
    [
      { way: 'account', 'account-account_number': '31926819', 'account-bank_name': 'A bank' },
      { 'dest-bank-name': 'A bank' },
    ],
    [
      { way: 'phone', 'phone-receiver_phone': '+4915123456789', 'phone-bank_name': 'A bank' },
      { 'dest-bank-name': 'A bank' },
    ],
  ] as const)('[S4-50] [G4-08] of a payout form %o status shows where the money went', async ([fields, expected]) => {
    const { openForm, submit, told } = counter()
    const { address, ids } = await openForm('/api/v2/payout-form')
    await submit(address, fields)
    expect(await told(ids)).toMatchObject({ status: 'approved', ...expected })
  })

  test.for([
    [{}, 'Choose where the money should go'],
    [{ way: 'cash' }, 'Choose where the money should go'],
    [{ way: 'card', 'card-credit_card_number': '4' }, 'Check the card number'],
    [{ way: 'account' }, 'Enter the account number'],
    [{ way: 'account', 'account-account_number': '1', 'account-routing_number': 'x' }, 'Enter at most 20 digits'],
    [
      { way: 'account', 'account-account_number': '1', 'account-bank_name': '4444333322221111' },
      'Enter only the name of the bank',
    ],
    [
      { way: 'account', 'account-account_number': '1', 'account-bank_branch': '4444333322221111' },
      'Enter only the branch of the bank',
    ],
    [{ way: 'wallet', 'wallet-destination_wallet': '4444333322221111' }, 'not a card number'],
    [{ way: 'phone', 'phone-receiver_phone': '12' }, '6 to 15 digits'],
    [{ way: 'phone', 'phone-receiver_phone': '+49 (0)151 23456789' }, 'without brackets'],
    [{ way: 'phone', 'phone-receiver_phone': '------' }, '6 to 15 digits'],
  ] as const)('a payout form refuses %o', async ([fields, text]) => {
    const { openForm, send } = counter()
    const { address } = await openForm('/api/v2/payout-form')
    const { status, body } = await send(address, fields)
    expect([status, body.includes(text)]).toEqual([422, true])
  })

  test('what is not a form is refused, and costs no try', async () => {
    const { openForm, ask, open, store } = counter()
    const { address, token } = await openForm()
    const url = address.slice('https://gate.example.com'.length)
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const requests = [
      { headers: {}, body: 'cvv2=123' },
      { headers: { 'content-type': 'application/json' }, body: '{}' },
      { headers: type, body: 'cvv2=%' },
      { headers: type, body: 'cvv2=123&cvv2=124' },
      { headers: type, body: `cvv2=${'1'.repeat(70_000)}` },
    ]
    for (const request of requests) expect((await ask({ method: 'POST', url, ...request })).status).toBe(400)
    expect((await store.orderByPageToken(token))?.details.pages?.tries).toBeUndefined()
    expect((await open(address)).status).toBe(200)
  })

  test('an acquirer that fails to take the card leaves the order as it was: the form may be sent again', async () => {
    let fails = true
    const inner = listening().acquirer
    const acquirer = deciding({
      tokenize: async (instrument) => {
        if (fails) throw new Error('no line')
        return await inner.tokenize(instrument)
      },
    })
    const { openForm, submit, heard } = counter({ acquirer })
    const { address } = await openForm()
    const failed = await submit(address, TYPED)
    expect([failed.status, failed.body.includes('no line')]).toEqual([500, false])
    expect(heard).toHaveLength(1)
    fails = false
    expect(fieldsOf(await submit(address, TYPED))).toMatchObject({ status: 'approved' })
  })

  const [shop, rival] = merchants()
  test.for([
    ['merchant', [rival]],
    ['endpoint', [{ ...shop, endpoints: [{ id: '1112' }] }, rival]],
  ] as const)('nobody pays where the %s is not configured any more', async ([, left]) => {
    const { openForm, store, gateway, clock } = counter()
    const { address, ids } = await openForm()
    await gateway.close()
    const { acquirer, executed } = listening()
    const next = counter({ store, clock, acquirer, merchants: left as readonly MerchantOptions[] })
    expect((await next.open(address)).status).toBe(404)
    expect((await next.submit(address, TYPED)).status).toBe(404)
    expect(executed).toEqual([])
    await clock.advance('30m')
    expect((await store.orderById(ids.orderid))?.operations).toMatchObject([{ status: 'error' }])
  })
})

test.for(['en', 'de'])(
  'who has a card verified is led to the bank, and to no payment: %s',
  async (preferred_language) => {
    const { openForm, submit } = counter()
    const { address } = await openForm('/api/v2/account-verification-form', { preferred_language })
    const { body } = await submit(address, { ...TYPED, cvv2: '321' })
    expect(body).toContain('/acs/challenge/')
    expect(body).not.toMatch(/payment|zahlung/i)
  },
)

test.for(FORM_OPERATIONS)('[S1-14] [S4-35] %s ends on a page', async (path) => {
  const { openForm, open } = counter()
  const { body, status } = await open((await openForm(path)).address)
  expect([status, body.includes('<form method="post"')]).toEqual([200, true])
  expect(body.includes('€34.00')).toBe(!path.includes('account-verification'))
  expect(body.includes('No charge will be made')).toBe(path.includes('account-verification'))
})
