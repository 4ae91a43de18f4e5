import { describe, expect, test } from 'vitest'
import { desk, refusal } from '../support/desk.ts'
import { MONTHLY, recurringDesk } from '../support/recurring.ts'
import { SALE } from '../support/signed-requests.ts'

describe('an amount that is written otherwise', () => {
  test.for([
    ['10.5', '10.50'],
    ['10.50', '10.5'],
    ['10', '10.00'],
    ['10.0', '10'],
  ] as const)('[F-D6] %s and then %s is a repeat, which gets the first answer', async ([first, second]) => {
    const { ask } = desk()
    const made = await ask('/api/v2/sale', { ...SALE, amount: first })
    expect(made).toMatchObject({ http: '200' })
    expect(await ask('/api/v2/sale', { ...SALE, amount: second })).toEqual(made)
    expect(await ask('/api/v2/sale', { ...SALE, amount: '10.51' })).toMatchObject({ http: '400' })
  })

  test('[F-D6] in a sequence is a repeat as well', async () => {
    const { create } = recurringDesk()
    const { amount: _, ...monthly } = MONTHLY
    const [first, second, other] = ['1.50,2,3.00', '1.5,2.00,3', '1.5,20,3'].map((sequence) => ({
      ...monthly,
      'client-orderid': 'rp-x',
      'amount-sequence': sequence,
    }))
    const made = await create(first ?? {})
    expect(made).toMatchObject({ http: '200' })
    expect(await create(second ?? {})).toEqual(made)
    expect(refusal(await create(other ?? {}))).toMatch(/^3: /)
  })
})

describe('the largest amounts that a request can have', () => {
  test.for([
    ['always-2', 'EUR', '9999999.99'],
    ['always-2', 'EUR', '10000000'],
    ['always-2', 'EUR', '99999999.9'],
    ['always-2', 'IDR', '9999999999'],
    ['iso-4217', 'KWD', '999999.999'],
  ] as const)('[F-D6] are shown as they can be returned: by %s, %s %s', async ([exponents, currency, amount]) => {
    const { sale, told, calls, return: giveBack } = desk({ profile: { exponents } })
    const ids = await sale({ currency, amount, server_callback_url: 'https://shop.example.com/callback' })
    const shown = await told(ids)
    const called = new URL(calls[0] ?? '').searchParams.get('amount')
    expect([shown['amount'], shown['initial-amount'], called]).toEqual([amount, amount, amount])
    expect(await giveBack(ids, { amount: shown['amount'] ?? '', currency })).toMatchObject({ http: '200' })
    expect(await told(ids)).toMatchObject({ status: 'approved', 'transaction-type': 'reversal' })
  })

  test('[F-D6] are not split so that what is left could not be sent', async () => {
    const { preauth, capture, return: giveBack, told } = desk()
    const ids = await preauth({ amount: '9999999999', currency: 'IDR' })
    const cents = { amount: '0.01', currency: 'IDR' }
    const refused = await capture(ids, cents)
    expect(refused).toMatchObject({ http: '400', 'error-code': '10' })
    expect(refused['error-message']).toContain('no more decimals than the amount of this order')
    expect(await capture(ids, { amount: '9000000001', currency: 'IDR' })).toMatchObject({ http: '200' })
    expect(await giveBack(ids, cents)).toMatchObject({ 'error-code': '10' })
    expect(await giveBack(ids, { amount: '1', currency: 'IDR' })).toMatchObject({ http: '200' })
    const { amount = '' } = await told(ids)
    expect(amount.length).toBeLessThanOrEqual(10)
  })

  test('[F-D6] of a range are those that have all decimals, since any amount of it may be charged', async () => {
    const { create } = recurringDesk()
    const { amount: _, ...monthly } = MONTHLY
    const range = { ...monthly, 'amount-from': '1', 'amount-to': '10000000' }
    expect(refusal(await create(range))).toBe(
      '1: amountTo (amount-to) must have at most 10 characters with all decimals.',
    )
    expect(await create({ ...range, 'amount-to': '9999999.99' })).toMatchObject({ http: '200' })
  })
})

test('[F-D6] a description that does not fit into a request is refused by the name of the field', async () => {
  const { ask } = desk()
  const reply = await ask('/api/v2/sale', { ...SALE, order_desc: 'ж'.repeat(20_000) })
  expect(reply).toMatchObject({ http: '413', 'error-code': '1' })
  expect(reply['error-message']).toContain('order_desc')
  expect(await ask('/api/v2/sale', { ...SALE, order_desc: 'ж'.repeat(10_000) })).toMatchObject({ http: '200' })
})
