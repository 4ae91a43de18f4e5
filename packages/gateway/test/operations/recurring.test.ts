import { describe, expect, test } from 'vitest'
import { type MerchantOptions, memoryStore } from '../../src/index.ts'
import type { Change, Store } from '../../src/store-port.ts'
import { desk, refusal, shopKeys } from '../support/desk.ts'
import { type Fields, merchants, PAYER, SHOP } from '../support/signed-requests.ts'
import { recording } from '../support/stores.ts'

const CREATE = '/api/v4/create-recurring-payment'
const CARD = {
  rp_card_type: 'SRC',
  'client-orderid': 'rp-1',
  login: 'shop',
  'credit-card-number': '4444333322221111',
  'card-printed-name': 'JOHN SMITH',
  'expire-month': '12',
  'expire-year': '2031',
  currency: 'EUR',
}
const MONTHLY = { ...CARD, amount: '9.99', period: 'month', interval: '2', 'start-date': '2030-01-31' }

/** Creates a recurring payment: what the store keeps of it. */
async function stored(fields: Fields) {
  const { store, changes } = recording()
  const made = desk({ store })
  const reply = await made.askOAuth(CREATE, fields)
  return { ...made, reply, kept: changes.find(({ recurringPayment }) => recurringPayment)?.recurringPayment }
}

/** A change as an earlier version, which kept no finish date, made it. */
function asEarlier(change: Change): Change {
  if (change.recurringPayment === undefined) return change
  const { finishDate: _, ...recurringPayment } = change.recurringPayment
  return { ...change, recurringPayment }
}

describe('a recurring payment', () => {
  test.for(['start-date', 'finish-date'])('is refused with a %s before 1970', async (name) => {
    const { reply, kept } = await stored({ ...MONTHLY, [name]: '1969-12-31' })
    expect(reply).toMatchObject({ type: 'validation-error', http: '400', 'error-code': '1' })
    expect(reply['error-message']).toContain(`(${name}) must be a day of the calendar from 1970 on as YYYY-MM-DD`)
    expect(kept).toBeUndefined()
  })

  test('[S1-08] [S2-10] [S2-15] [S4-46] [S4-52] [S4-53] [G4-05] is created at once, and named by its id', async () => {
    const { reply, kept } = await stored(MONTHLY)
    expect(reply).toEqual({
      type: 'create-recurring-payment-response',
      'serial-number': expect.any(String),
      status: 'approved',
      'recurring-payment-id': expect.stringMatching(/^[1-9]\d{14}$/),
      http: '200',
    })
    expect(kept).toMatchObject({
      recurringPaymentId: reply['recurring-payment-id'],
      login: 'shop',
      endpointId: '1111',
      clientOrderId: 'rp-1',
      cardType: 'SRC',
      currency: 'EUR',
      amount: { kind: 'fixed', amount: 999n },
      schedule: { period: 'month', interval: 2, startDate: '2030-01-31' },
    })
    expect(JSON.stringify(kept, (_, value: unknown) => String(value))).not.toContain('4444333322221111')
  })

  test('[G13-29] keeps its client order id where those of orders may be used again: only its first answer has its id', async () => {
    const { askOAuth } = desk({ allowRepeats: true })
    const first = await askOAuth(CREATE, MONTHLY)
    expect(first).toMatchObject({ http: '200' })
    expect(await askOAuth(CREATE, MONTHLY)).toEqual(first)
    expect(await askOAuth(CREATE, { ...MONTHLY, amount: '10.00' })).toMatchObject({ http: '400', 'error-code': '3' })
  })

  test('without a start begins on the day of its creation in the time zone of its endpoint', async () => {
    const { 'start-date': _, ...fields } = MONTHLY
    const { login, controlKey } = SHOP
    for (const [timeZone, startDate] of [
      ['America/New_York', '2029-12-31'],
      ['Pacific/Auckland', '2030-01-01'],
    ] as const) {
      const endpoints = [{ id: '1111', charges: { timeZone } }]
      const { store, changes } = recording()
      const merchant = { login, controlKey, publicKey: shopKeys.publicKey, endpoints }
      await desk({ store, merchants: [merchant] }).askOAuth(CREATE, fields)
      const kept = changes.find(({ recurringPayment }) => recurringPayment)?.recurringPayment
      expect(kept?.schedule).toMatchObject({ startDate })
    }
  })

  test('[G13-28] belongs to the endpoint in the path, whichever its field Endpoint names', async () => {
    const { kept } = await stored({ ...MONTHLY, Endpoint: '2222' })
    expect(kept).toMatchObject({ endpointId: '1111' })
  })

  test('[G9-01] with wrong fields is not told that nothing was created if its id was used before', async () => {
    const { askOAuth } = desk()
    const wrong = { ...MONTHLY, currency: 'euro' }
    expect(await askOAuth(CREATE, wrong)).toMatchObject({ 'error-code': '1' })
    await askOAuth(CREATE, MONTHLY)
    const refused = await askOAuth(CREATE, wrong)
    expect(refused).toMatchObject({ type: 'validation-error', 'error-code': '3' })
    expect(refused['error-message']).toContain('Send again what was sent first, to get its recurring-payment-id')
  })

  test.for([
    [
      { 'amount-from': '1.00', 'amount-to': '2.50' },
      { kind: 'range', from: 100n, to: 250n },
    ],
    [{ 'amount-sequence': '1.00,2.50,3' }, { kind: 'sequence', amounts: [100n, 250n, 300n] }],
  ] as const)('[S4-52] its amount may be %o', async ([amounts, kept]) => {
    expect((await stored({ ...CARD, ...amounts })).kept?.amount).toEqual(kept)
  })

  test('without a start it begins on the day of its creation, and without a period it is charged on request only', async () => {
    const daily = { ...CARD, amount: '1', period: 'day', interval: '1', 'finish-date': '2030-02-01' }
    expect((await stored(daily)).kept?.schedule).toEqual({
      period: 'day',
      interval: 1,
      startDate: '2030-01-01',
      finishDate: '2030-02-01',
    })
    expect((await stored({ ...CARD, amount: '1' })).kept?.schedule).toBeUndefined()
  })

  test('[S4-53] a repeat with the same content gets the first answer, and with other content is refused', async () => {
    const { reply, askOAuth } = await stored(MONTHLY)
    expect(await askOAuth(CREATE, MONTHLY)).toEqual(reply)
    expect(refusal(await askOAuth(CREATE, { ...MONTHLY, amount: '9.98' }))).toBe(
      '3: clientOrderId (client-orderid) was used before with other content, for a recurring payment that exists. ' +
        'Send again what was sent first, to get its recurring-payment-id, or choose a new id for another.',
    )
    expect(await askOAuth(CREATE, { ...MONTHLY, 'client-orderid': 'rp-2' })).not.toMatchObject({
      'recurring-payment-id': reply['recurring-payment-id'],
    })
  })

  test('[S4-53] [G13-10] a repeat after the only day of its schedule gets the first answer', async () => {
    const once = { ...CARD, amount: '1', period: 'day', interval: '1', 'finish-date': '2030-01-01' }
    const { reply, askOAuth, clock } = await stored({ ...once, 'start-date': '2030-01-01' })
    await clock.advance('3d')
    expect(await askOAuth(CREATE, { ...once, 'start-date': '2030-01-01' })).toEqual(reply)
    const other = { ...once, 'start-date': '2030-01-01', 'client-orderid': 'rp-2' }
    expect(refusal(await askOAuth(CREATE, other))).toMatch(/^1: finishDate/)
  })

  test('many equal requests at once make one payment', async () => {
    const { gateway, oauth } = desk()
    const replies = await Promise.all(Array.from({ length: 10 }, () => gateway.handle(oauth(CREATE, MONTHLY))))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
  })

  test('[S4-53] its id stands for the card in a transfer', async () => {
    const { reply, askOAuth, told } = await stored(MONTHLY)
    const token = reply['recurring-payment-id'] ?? ''
    await askOAuth('/api/v4/transfer', {
      client_orderid: 'tr-1',
      amount: '1',
      currency: 'EUR',
      card_recurring_payment_id: token,
      'destination-card-no': '5555555555554444',
    })
    expect(await told({ client_orderid: 'tr-1' })).toMatchObject({ status: 'approved', 'last-four-digits': '1111' })
  })

  test.for([
    ['on its schedule', MONTHLY],
    ['on request', { ...MONTHLY, period: '', interval: '', 'start-date': '' }],
  ] as const)('[G3.4-03] charged %s, its id stands for the card until its finish date is over', async ([, fields]) => {
    const zoned = merchants({ shop: shopKeys.publicKey }).map((merchant) => {
      const charges = { timeZone: 'America/New_York' }
      return { ...merchant, endpoints: merchant.endpoints.map((each) => ({ ...each, charges })) }
    })
    const { ask, askOAuth, clock } = desk({ merchants: zoned })
    const created = await askOAuth(CREATE, { ...fields, 'finish-date': '2030-01-31' })
    const { 'recurring-payment-id': token = '' } = created
    const money = { amount: '1', currency: 'EUR' }
    const from = { card_recurring_payment_id: token, 'destination-card-no': '5555555555554444' }
    const to = { deposit2card: 'true', destination_card_recurring_payment_id: token }
    const codes = async (name: string) => {
      const sale = { ...PAYER, ...money, client_orderid: `${name}-1`, card_recurring_payment_id: token, cvv2: '123' }
      const replies = [
        await ask('/api/v2/sale', sale),
        await askOAuth('/api/v4/transfer', { client_orderid: `${name}-2`, ...money, ...from }),
        await askOAuth('/api/v4/transfer', { client_orderid: `${name}-3`, ...money, ...to }),
      ]
      return replies.map(({ 'error-code': code }) => code)
    }
    await clock.advance('31d')
    // 1 February, 04:59:59 in UTC: still 31 January in New York.
    await clock.advance(5 * 3_600_000 - 1000)
    expect(await codes('before')).toEqual([undefined, undefined, undefined])
    await clock.advance(1000)
    expect(await codes('after')).toEqual(['8', '8', '8'])
    expect(await codes('before')).toEqual([undefined, undefined, undefined])
  })

  test('[G3.4-03] if an earlier version wrote the finish date in its schedule alone, its id no longer stands for the card after it', async () => {
    const store = memoryStore()
    const commit: Store['commit'] = (change, at) => store.commit(asEarlier(change), at)
    const { ask, askOAuth, clock } = desk({ store: { ...store, commit } })
    const created = await askOAuth(CREATE, { ...MONTHLY, 'finish-date': '2030-02-28' })
    const { 'recurring-payment-id': card_recurring_payment_id = '' } = created
    const sale = { ...PAYER, amount: '1', currency: 'EUR', card_recurring_payment_id, cvv2: '123' }
    await clock.advance('58d')
    expect(await ask('/api/v2/sale', sale)).toMatchObject({ type: 'async-response' })
    await clock.advance('1d')
    expect(await ask('/api/v2/sale', { ...sale, client_orderid: 'inv-2' })).toMatchObject({ 'error-code': '8' })
  })

  test.for([
    [{ amount: '', 'amount-from': '2.00', 'amount-to': '1.99' }, /^1: amountFrom \(amount-from\) must not be above/],
    [
      { amount: '', 'amount-sequence': '1.00,0.00' },
      /^1: amountSequence \(amount-sequence\) must be decimal texts above/,
    ],
    [
      { amount: '', 'amount-sequence': '1.00,1.005' },
      /^1: amountSequence \(amount-sequence\) must have at most 2 decimals/,
    ],
    [
      { amount: '', 'amount-sequence': '1.00,99999999.00,2.00' },
      /^1: amountSequence \(amount-sequence\) must be decimal texts above zero .*each of at most 10 characters/,
    ],
    [{ 'finish-date': '2030-01-30' }, /^1: finishDate \(finish-date\) must not be before startDate/],
    [
      { period: '', interval: '', 'start-date': '', 'finish-date': '2029-12-31' },
      /^1: finishDate \(finish-date\) must not be before .*, nor before today/,
    ],
    [
      { server_callback_url: 'http://10.0.0.1/callback' },
      /^1: serverCallbackUrl \(server_callback_url\) must name a public/,
    ],
  ] as const)('with %o is refused at once: nobody is there to hear of it later', async ([fields, message]) => {
    const { reply, kept } = await stored({ ...MONTHLY, ...fields })
    expect(refusal(reply)).toMatch(message)
    expect(kept).toBeUndefined()
  })

  test.for([
    { amount: '9.99' },
    { 'amount-from': '1.00', 'amount-to': '9.00' },
    { 'amount-sequence': '6.00,5.00,4.00' },
  ])('one of whose amounts is outside the limits of the endpoint is refused: %o', async (amounts) => {
    const [shop, ...others] = merchants({ shop: shopKeys.publicKey })
    const endpoints = [{ id: '1111', limits: { min: '5.00', max: '9.00' } }]
    const { askOAuth } = desk({ merchants: [{ ...shop, endpoints } as MerchantOptions, ...others] })
    const reply = await askOAuth(CREATE, { ...CARD, ...amounts, period: 'month', interval: '1' })
    expect(refusal(reply)).toMatch(/^10: amount.* must be at least 5.00 and at most 9.00 at this endpoint/)
  })
})
