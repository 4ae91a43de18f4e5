import {
  callbackControlTerms,
  catalogue,
  MalformedFormError,
  type Pair,
  parseForm,
  readCallback,
  readReply,
  serializeForm,
} from '@tallystick/core'
import { CallbackNotice, writeCallback } from '@tallystick/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import control from '../vectors/control.json' with { type: 'json' }

/** The names of gaps part 6, with hyphens and underscores mixed as there. */
const PARAMETERS =
  'status client_orderid orderid type amount currency descriptor error_code error_message name email phone ' +
  'approval-code last-four-digits bin card-type gate-partial-reversal gate-partial-capture reason-code processor-rrn ' +
  'processor-tx-id card-holder-name comment rapida-balance merchantdata control'

/** Of the status reply (gaps part 4), which callbacks of our gateway have as well. */
const AS_IN_STATUS =
  'terminal-id processor-credit-rrn processor-credit-arn processor-debit-arn processor-auth-credit-code ' +
  'processor-batch-id auth-response-code paynet-processing-date acquirer-processing-date'

const SIGNED: readonly Pair[] = [
  ['status', 'approved'],
  ['orderid', '6768788'],
  ['client_orderid', 'inv4097763'],
  ['control', 'c6bdd88a78834ef4b863b088827a459f039e8257'],
]

function read(pairs: readonly Pair[]) {
  const parsed = readCallback(pairs)
  return parsed.ok ? parsed.value : parsed.issues.map(({ wireName, problem }) => `${wireName} ${problem}`)
}

describe('readCallback', () => {
  test('[G6-06] knows the documented parameters', () => {
    const wireNames = Object.values(CallbackNotice.fields).map((field) => field.wireName)
    expect([...wireNames].sort()).toEqual(`${PARAMETERS} ${AS_IN_STATUS}`.split(' ').sort())
  })

  test('reads what it needs, and keeps what is not documented', () => {
    expect(read([...SIGNED, ['type', 'sale'], ['amount', '10.42'], ['brand', 'x']])).toEqual({
      status: 'approved',
      orderId: '6768788',
      clientOrderId: 'inv4097763',
      control: 'c6bdd88a78834ef4b863b088827a459f039e8257',
      type: 'sale',
      amount: '10.42',
      extra: { brand: 'x' },
    })
  })

  test('[G6-07] merchant_order stands for a missing client_orderid', () => {
    const pairs = SIGNED.map(([name, text]): Pair => [name === 'client_orderid' ? 'merchant_order' : name, text])
    expect(read(pairs)).toMatchObject({ clientOrderId: 'inv4097763', extra: {} })
  })

  test('[G6-07] merchant_order beside client_orderid must agree', () => {
    expect(read([...SIGNED, ['merchant_order', 'inv4097763']])).toMatchObject({
      clientOrderId: 'inv4097763',
      extra: {},
    })
    expect(() => read([...SIGNED, ['merchant_order', 'another']])).toThrow(MalformedFormError)
  })

  test('[G6-07] merchant_order stands for a client_orderid that is blank, on either side of it', () => {
    const blank = SIGNED.map(([name, text]): Pair => [name, name === 'client_orderid' ? '' : text])
    expect(read([...blank, ['merchant_order', 'inv4097763']])).toMatchObject({ clientOrderId: 'inv4097763' })
    expect(read([['merchant_order', 'inv4097763'], ...blank])).toMatchObject({ clientOrderId: 'inv4097763' })
    expect(read([...SIGNED, ['merchant_order', ' ']])).toMatchObject({ clientOrderId: 'inv4097763' })
  })

  test('refuses a repeated name', () => {
    expect(() => read([...SIGNED, ['status', 'approved']])).toThrow(MalformedFormError)
  })

  test.each(['status', 'orderid', 'client_orderid', 'control'])('reports that %s is missing', (absent) => {
    expect(read(SIGNED.filter(([name]) => name !== absent))).toEqual([`${absent} is required`])
  })

  test.each(['sale', 'preauth', 'capture', 'cancel', 'reversal', 'chargeback', 'payout', 'dispute', 'brand-new'])(
    '[G6-08] [G5-04] takes the type %s',
    (type) => expect(read([...SIGNED, ['type', type]])).toMatchObject({ type }),
  )

  test('[G3.1-05] merchantdata is the merchant_data of the request, here and in status', () => {
    expect(catalogue.sale.request.fields.merchantData.wireName).toBe('merchant_data')
    expect(read([...SIGNED, ['merchantdata', 'cart 17']])).toMatchObject({ merchantData: 'cart 17' })
    expect(readReply('status', '{"type":"status-response","merchantdata":"cart 17"}')).toMatchObject({
      reply: { merchantData: 'cart 17' },
    })
  })

  test('keeps a status that is not documented', () => {
    expect(read(SIGNED.map(([name, text]): Pair => [name, name === 'status' ? 'on-hold' : text]))).toMatchObject({
      status: 'on-hold',
    })
  })
})

describe('writeCallback', () => {
  test('[G6-06] writes the order id of the merchant under both of its names', () => {
    const [status, orderId, clientOrderId, digest] = SIGNED.map(([, text]) => text) as [string, string, string, string]
    expect(writeCallback({ status, orderId, clientOrderId, control: digest, amount: '10.42' })).toEqual([
      ['status', 'approved'],
      ['orderid', '6768788'],
      ['client_orderid', 'inv4097763'],
      ['control', 'c6bdd88a78834ef4b863b088827a459f039e8257'],
      ['amount', '10.42'],
      ['merchant_order', 'inv4097763'],
    ])
  })

  test('what is written is read back, whatever the texts', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((value) => value.trim() !== '' && !value.includes('\0'))
    const names = Object.keys(CallbackNotice.fields)
    fc.assert(
      fc.property(fc.tuple(...names.map(() => text)), (texts) => {
        const callback = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']))
        const pairs = parseForm(serializeForm(writeCallback(callback as never)), { maxPairs: 100, maxBytes: 1_000_000 })
        expect(read(pairs)).toEqual({ ...callback, extra: {} })
      }),
    )
  })
})

describe('callbackControlTerms', () => {
  test('[G6-07] are status, orderid and client_orderid in this order: vector R1', () => {
    const vector = control.vectors.find(({ id }) => id === 'R1')
    const terms = callbackControlTerms({ status: 'approved', orderId: '_', clientOrderId: '_' })
    expect(terms).toEqual(['approved', '_', '_'])
    expect(terms.join('') + vector?.key).toBe(vector?.string)
  })

  test('[G6-09] do not cover amount, type and error fields', () => {
    const callback = { status: 'approved', orderId: '1', clientOrderId: 'a' }
    expect(callbackControlTerms({ ...callback, amount: '1', type: 'sale', errorCode: '1' } as typeof callback)).toEqual(
      ['approved', '1', 'a'],
    )
  })
})
