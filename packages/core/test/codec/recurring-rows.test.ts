import { inspect } from 'node:util'
import {
  decodeRequest,
  defineProfile,
  InvalidInputError,
  type Pair,
  parseRequest,
  recurringResults,
  recurringRows,
} from '@tallystick/core'
import { Payload, readRecurringRows, writeRecurringResults } from '@tallystick/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCsv, writeCsv } from '../../src/codec/csv.ts'

const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })
const shop = { login: 'shop', profile }

/** What a gateway reads of a form: the rows by field, or why there are none. */
function rowsOf(key: Parameters<typeof readRecurringRows>[0], form: Readonly<Record<string, string>>) {
  const decoded = decodeRequest(key, Object.entries(form) as Pair[], profile)
  if (!decoded.ok) return decoded.issues.map(({ field, problem }) => `${field} ${problem}`)
  const rows = readRecurringRows(key, decoded.value, shop)
  if (typeof rows === 'string') return rows
  return rows.map(({ line, parsed }) => [line, parsed.ok ? parsed.value : parsed.issues.map(({ field }) => field)])
}

describe('comma-separated values', () => {
  test('[G14-08] are read as RFC 4180 writes them: quotes, commas, doubled quotes and line breaks in a value', () => {
    const text = '\ufeffname,text\r\na,"x, ""y""\r\nz"\r\n\r\nb,plain\nc,""'
    expect(readCsv(text)).toEqual({
      ok: true,
      rows: [
        {
          line: 2,
          cells: [
            ['name', 'a'],
            ['text', 'x, "y"\r\nz'],
          ],
        },
        {
          line: 5,
          cells: [
            ['name', 'b'],
            ['text', 'plain'],
          ],
        },
        { line: 6, cells: [['name', 'c']] },
      ],
    })
  })

  test.each([
    ['', 'has no header'],
    ['a,a\n1,2', 'names a column twice in its header'],
    ['a,\n1,2', 'has a column without a name in its header'],
    ['a,b\n1,2\n3\n', 'has 1 values in line 3 and 2 columns in its header'],
    ['a,b\n1,"2', 'has a quote in line 2 that is not closed, doubled, or around a whole value'],
    ['a,b\n1,2"3"\n', 'has a quote in line 2 that is not closed, doubled, or around a whole value'],
    ['a\n"4444555566661111"x\n', 'has a quote in line 2 that is not closed, doubled, or around a whole value'],
  ])('that are damaged are refused without a quote from them: %#', (text, problem) => {
    expect(readCsv(text)).toEqual({ ok: false, problem })
  })

  test('[G14-08] come back as they were written, whatever is in them', () => {
    const cell = fc.string().filter((text) => text.trim() !== '')
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (lines) => {
        const written = writeCsv(
          ['one', 'two'],
          lines.map(
            ([one, two]) =>
              new Map([
                ['one', one],
                ['two', two],
              ]),
          ),
        )
        const read = readCsv(written)
        expect(read.ok && read.rows.map(({ cells }) => cells.map(([, text]) => text))).toEqual(lines)
      }),
    )
  })

  test('of 64 KiB are read in a moment, also if no quote closes', () => {
    const start = performance.now()
    for (const text of [
      '"'.repeat(65_535),
      `a\n${'"",'.repeat(20_000)}`,
      `a\n"${'""'.repeat(32_000)}`,
      ','.repeat(65_536),
    ]) {
      expect(readCsv(text).ok).toBe(false)
    }
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('the rows of a plural form', () => {
  test('[G14-08] are written with the columns that the newest pages print, in their order', () => {
    const payload = recurringRows('processRecurringPayments', [
      { clientOrderId: 'a1b', recurringPaymentId: '77', amount: '5.00', email: 'a@example.com' },
      { clientOrderId: 'a2b', recurringPaymentId: '78', orderDesc: 'Tea, "green"' },
    ])
    expect(payload.reveal()).toBe(
      'client-orderid,recurring-payment-id,amount,email,order_desc\r\n' +
        'a1b,77,5.00,a@example.com,\r\n' +
        'a2b,78,,,"Tea, ""green"""\r\n',
    )
  })

  test('[G14-08] of a creation have card and no login', () => {
    const card = { cardNumber: '4444555566661111', cardPrintedName: 'J', expireMonth: 1, expireYear: 2030, cvv2: '123' }
    const row = { recurringCardType: 'SRC', clientOrderId: 'a1b', ...card, amount: '5.00', currency: 'EUR' } as const
    expect(recurringRows('createRecurringPayments', [row]).reveal()).toBe(
      'rp_card_type,client-orderid,credit-card-number,cvv2,card-printed-name,expire-year,expire-month,currency,amount\r\n' +
        'SRC,a1b,4444555566661111,123,J,2030,01,EUR,5.00\r\n',
    )
  })

  test('[G14-08] are read by the names of the header, in any order and spelling', () => {
    const payload = 'Amount-Note,amount,recurring-payment-id,client_orderid\nx,5.00,77,a1b\n'
    const values = { clientOrderId: 'a1b', recurringPaymentId: '77', amount: '5.00', extra: { 'Amount-Note': 'x' } }
    expect(rowsOf('processRecurringPayments', { payload })).toEqual([[2, values]])
  })

  test('[G14-08] are one row if the body has its fields and no payload', () => {
    const form = { 'client-orderid': 'a1b', 'recurring-payment-id': '77', amount: '5.00' }
    const values = { clientOrderId: 'a1b', recurringPaymentId: '77', amount: '5.00', extra: {} }
    expect(rowsOf('processRecurringPayments', form)).toEqual([[1, values]])
  })

  test('name what is wrong by line and field', () => {
    const payload = 'client-orderid,recurring-payment-id,amount\na1b,77,5.00\n"a\n2",,-1\n'
    expect(rowsOf('processRecurringPayments', { payload })).toMatchObject([
      [2, {}],
      [3, ['clientOrderId', 'recurringPaymentId', 'amount']],
    ])
    expect(rowsOf('updateRecurringPayments', { payload: 'client-orderid' })).toBe('has no row')
    const many = `client-orderid\n${'a\n'.repeat(101)}`
    expect(rowsOf('updateRecurringPayments', { payload: many })).toBe('has 101 rows, and 100 is the most')
  })

  test('are refused before they are sent, each wrong field with its row', () => {
    const rows = [
      { clientOrderId: 'a1b', recurringPaymentId: '77' },
      { clientOrderId: 'a2b', recurringPaymentId: '' },
    ]
    const refused = () => recurringRows('processRecurringPayments', rows)
    expect(refused).toThrow(InvalidInputError)
    expect(refused).toThrow('row 2: recurringPaymentId')
    expect(() => recurringRows('processRecurringPayments', [])).toThrow('rows (payload) must be 1 to 100')
  })

  test('show no card number, wherever they are printed', () => {
    const payload = new Payload('credit-card-number\r\n4444555566661111\r\n')
    expect([String(payload), inspect(payload), JSON.stringify({ payload })]).toEqual([
      '[2 lines]',
      '[2 lines]',
      '{"payload":"[2 lines]"}',
    ])
  })

  test('[G14-10] have results that are read from the payload of the reply, none if it has none', () => {
    const results = [
      { clientOrderId: 'a,1', recurringPaymentId: '77', orderId: '100000000000001', status: 'processing' },
      { clientOrderId: 'a2', status: 'error', errorCode: '8', errorMessage: 'There is "none".' },
    ]
    const payload = writeRecurringResults(results)
    expect(payload.split('\r\n')[0]).toBe(
      'client-orderid,recurring-payment-id,paynet-order-id,status,error-code,error-message',
    )
    expect(recurringResults({ payload })).toEqual(results)
    expect([recurringResults({}), recurringResults({ payload: '"' })]).toEqual([[], []])
  })
})

describe('a recurring payment', () => {
  test('[G14-11] has an id of up to 128 characters', () => {
    const input = (length: number) => ({ clientOrderId: 'a', recurringPaymentId: '7'.repeat(length) })
    expect(parseRequest('processRecurringPayment', input(128), profile).ok).toBe(true)
    expect(parseRequest('processRecurringPayment', input(129), profile).ok).toBe(false)
  })

  test('[G14-12] is read and stopped only where the profile has our extensions', () => {
    const stop = { clientOrderId: 'a', recurringPaymentId: '77', recurringPaymentState: 'stopped' }
    const ours = { ...profile, recurringExtensions: true }
    for (const [key, input] of [
      ['updateRecurringPayment', stop],
      ['getRecurringPayment', { recurringPaymentId: '77' }],
    ] as const) {
      expect(parseRequest(key, input, ours).ok).toBe(true)
      const refused = parseRequest(key, input, profile)
      expect(refused.ok || refused.issues.map(({ problem }) => problem)).toEqual([
        'belongs to an extension of tallystick, which the profile of this gateway does not have',
      ])
    }
  })

  test('whose currency the request does not name leaves the decimals of an amount to the gateway', () => {
    const iso = { ...profile, exponents: 'iso-4217' as const }
    const input = { clientOrderId: 'a', recurringPaymentId: '77', amount: '1.125' }
    expect(parseRequest('processRecurringPayment', input, iso).ok).toBe(true)
    expect(parseRequest('processRecurringPayment', { ...input, currency: 'EUR' }, iso).ok).toBe(false)
    expect(parseRequest('processRecurringPayment', input, profile).ok).toBe(false)
  })
})
