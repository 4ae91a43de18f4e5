import { createHash, createHmac } from 'node:crypto'
import { Random } from '@tallystick/proof-kit'
import { describe, expect, test } from 'vitest'
import type { ControlCause } from '../../src/doctor/explain-control.ts'
import { explainControl } from '../../src/index.ts'
import type { ControlEvidence } from '../../src/internal.ts'
import { anyRequest, formulas, operations, rules, sha1, text } from './broken-controls.ts'

const key = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
/** The sale of the published example (gaps part 7.1), and what else a merchant's program has. */
const sale: ControlEvidence = {
  formula: ['endpointId', 'clientOrderId', 'amountInCents', 'email'],
  otherFormulas: { STATUS: ['login', 'clientOrderId', 'orderId'], CARDINFO: ['login', 'cardRefId'] },
  rules,
  fields: { client_orderid: '902B4FF5', amount: '10.42', email: 'john.smith@gmail.com', login: 'shop' },
  path: { kind: 'endpoint', id: '1111', otherId: '77' },
  key,
  control: '',
}
const right = `1111902B4FF51042john.smith@gmail.com${key}`
const status = { ...sale, formula: ['login', 'clientOrderId', 'orderId'] }
const capture = {
  ...sale,
  formula: ['login', 'clientOrderId', 'orderId', 'amountInCents', 'currency'],
  fields: { login: 'shop', client_orderid: '902B4FF5', orderid: '815' },
}
const group = { ...sale, path: { kind: 'group', id: '77', otherId: '1111' } } as const

const ofAmount = (amount: string, more: Partial<ControlEvidence> = {}) => ({
  ...sale,
  fields: { ...sale.fields, amount },
  ...more,
})
const withDecimals = (decimals: number) => ({
  rules: { ...rules, amountInCents: { reads: 'amount', field: 'amount', decimals } } as const,
})
const saleText = (amount: string) => `1111902B4FF5${amount}john.smith@gmail.com${key}`

const inDollars = { ...sale, fields: { ...sale.fields, currency: 'USD' } }

/** A mistake: its cause, what the advice has to name, the text that was signed, and what the receiver knows. */
type Row = readonly [how: string, cause: ControlCause, names: string, text: string, evidence: ControlEvidence]

/** What JavaScript, PHP, Python, SQL, Ruby and Go print for nothing, and empty amounts and lists. */
const NOTHING = 'undefined null None NULL nil NaN false 0 0.0 0.00 000 [] {} N/A'.split(' ')

const ROWS: readonly Row[] = [
  ...NOTHING.map(
    (nothing): Row => [
      nothing,
      'absent-term-not-empty',
      'orderId was not sent',
      `shop902B4FF5${nothing}${key}`,
      status,
    ],
  ),
  [
    'the stored order id',
    'absent-term-not-empty',
    "sign ''",
    `shop902B4FF5815${key}`,
    { ...status, absentValues: { orderid: ['4711', '815'] } },
  ],
  [
    'a currency that was sent without an amount',
    'absent-term-not-empty',
    "currency counts only beside amount, which was not sent, so its term is an empty text: sign '' in its place",
    `shop902B4FF5815EUR${key}`,
    { ...capture, fields: { ...capture.fields, currency: 'EUR' } },
  ],
  ['as it is sent', 'amount-in-units', 'amountInCents in minor units', saleText('10.5'), ofAmount('10.5')],
  ['without its zeros', 'amount-in-units', 'amountInCents in minor units', saleText('10.5'), ofAmount('10.50')],
  ['with two decimals', 'amount-in-units', 'amountInCents in minor units', saleText('10.50'), ofAmount('10.5')],
  ['cut off', 'amount-in-units', 'amountInCents in minor units', saleText('10'), ofAmount(' 10.99 ')],
  ['without the spaces around it', 'amount-in-units', 'in minor units', saleText('010.90'), ofAmount(' 010.90 ')],
  [
    'with too few digits',
    'amount-point-removed',
    'shift the point of amountInCents',
    saleText('105'),
    ofAmount('10.5'),
  ],
  ['with leading zeros', 'amount-point-removed', 'shift the point of amountInCents', saleText('094'), ofAmount('0.94')],
  [
    'with leading zeros and two decimals',
    'amount-point-removed',
    'shift the point of amountInCents',
    saleText('050'),
    ofAmount('0.5'),
  ],
  ['cut off after it', 'amount-by-float', 'amountInCents on the text', saleText('1998'), ofAmount('19.99')],
  [
    'with all its digits',
    'amount-by-float',
    'amountInCents on the text',
    saleText('1998.9999999999998'),
    ofAmount('19.99'),
  ],
  [
    'of three decimals',
    'amount-by-float',
    'amountInCents on the text',
    saleText('1000'),
    ofAmount('1.001', withDecimals(3)),
  ],
  ['as Python prints it', 'amount-by-float', 'amountInCents on the text', saleText('1042.0'), sale],
  ['as .NET prints it', 'amount-by-float', 'amountInCents on the text', saleText('1042.00'), sale],
  ['with an error of rounding', 'amount-by-float', 'amountInCents on the text', saleText('1042.0000000000001'), sale],
  [
    'with an error of rounding below it',
    'amount-by-float',
    'amountInCents on the text',
    saleText('1999.00'),
    ofAmount('19.99'),
  ],
  ['an endpoint', 'endpoint-for-group', 'the path names a group', right, group],
  ['a group', 'group-for-endpoint', 'the path names an endpoint', right.replace('1111', '77'), sale],
  [
    'a login that was sent',
    'login-for-endpoint',
    'endpointId is the id in the path: sign it and not the login',
    right.replace('1111', 'shop'),
    sale,
  ],
  [
    'a login that is known',
    'login-for-endpoint',
    'endpointId is the id in the path: sign it and not the login',
    right.replace('1111', 'market'),
    { ...sale, path: { kind: 'group', id: '77' }, login: 'market' },
  ],
  [
    'spaces that were sent',
    'value-not-trimmed',
    'email was signed',
    right,
    { ...sale, fields: { ...sale.fields, email: ' john.smith@gmail.com ' } },
  ],
  ['a line break that was not sent', 'value-not-trimmed', 'email was signed', right.replace('.com', '.com\r\n'), sale],
  [
    'white space alone',
    'value-not-trimmed',
    'email was signed',
    `1111902B4FF51042 \t${key}`,
    { ...sale, fields: { ...sale.fields, email: ' \t' } },
  ],
  [
    'upper case',
    'value-case-changed',
    'sign email in the case',
    right.replace('john', 'JOHN').replace('smith', 'SMITH').replace('gmail.com', 'GMAIL.COM'),
    sale,
  ],
  ['lower case', 'value-case-changed', 'sign clientOrderId in the case', right.replace('902B4FF5', '902b4ff5'), sale],
  ...[
    ['an address', '%40'],
    ['a space as a plus', 'a+%26'],
    ['a space as an escape', 'a%20%26'],
    ['characters that JavaScript leaves', "!'()*%26"],
    ['characters that RFC 3986 does not leave', '%21%27%28%29%2A%26'],
    ['small digits', '%c3%a9'],
  ].map(
    ([how = '', encoded = '']): Row => [
      how,
      'value-encoded',
      'email was percent-encoded before it was signed: sign @ and not %40',
      `1111902B4FF51042${encoded}${key}`,
      { ...sale, fields: { ...sale.fields, email: decodeURIComponent(encoded.replace('+', ' ')) } },
    ],
  ),
  [
    'all values',
    'value-encoded',
    'each value was percent-encoded before it was signed',
    '1111a%2F71042john%40gmail.comk/y',
    { ...sale, fields: { ...sale.fields, client_orderid: 'a/7', email: 'john@gmail.com' }, key: 'k/y' },
  ],
  ...['|', ',', ':', ' ', ';', '&', '+', '-', '_', '.', '\n'].flatMap((separator): Row[] => {
    const terms = ['1111', '902B4FF5', '1042', 'john.smith@gmail.com'].join(separator)
    const names = 'put nothing between the terms: sign the terms endpointId, clientOrderId, amountInCents, email, then'
    return [
      [`${separator} between the terms`, 'terms-separated', names, terms + key, sale],
      [`${separator} before the key as well`, 'terms-separated', names, terms + separator + key, sale],
    ]
  }),
  ...['USD1111902B4FF51042john', '1111902B4FF51042USDjohn', '1111USD902B4FF51042john'].map(
    (text): Row => [
      text,
      'field-added',
      'currency is no term of this formula: sign the terms endpointId, clientOrderId, amountInCents, email, then the key',
      text + key,
      { ...sale, fields: { ...sale.fields, email: 'john', currency: 'USD' } },
    ],
  ),
  ['the currency at the end', 'field-added', 'currency is no term', right.replace(key, `USD${key}`), inDollars],
  [
    'the endpoint',
    'field-added',
    'endpointId is no term of this formula: sign the terms login, clientOrderId, orderId, then the key',
    `1111shop902B4FF5${key}`,
    status,
  ],
  [
    'the key in lower case',
    'key-case-changed',
    'use each letter of it as it was given',
    right.replace(key, key.toLowerCase()),
    sale,
  ],
  ['the key without hyphens', 'hyphens-removed', 'a part of it', right.replaceAll('-', ''), sale],
  ['the key in quotes', 'key-in-quotes', 'take them off', right.replace(key, `"${key}"`), sale],
  [
    'absent terms, each as it prints',
    'absent-term-not-empty',
    'amountInCents was not sent',
    `shop902B4FF5815NoneNone${key}`,
    capture,
  ],
  ['the key in upper case', 'key-case-changed', 'use each letter of it', right, { ...sale, key: key.toLowerCase() }],
  [
    'another key',
    'wrong-key',
    'this is another key',
    right.replace(key, 'of the sandbox'),
    { ...sale, otherKeys: ['unrelated', 'of the sandbox'] },
  ],
  ['a line break after it', 'key-with-white-space', 'the key has white space', `${right}\n`, sale],
  [
    'no key',
    'key-left-out',
    'key was left out: sign the terms endpointId, clientOrderId, amountInCents, email, then the key',
    right.replace(key, ''),
    sale,
  ],
  [
    'that of STATUS',
    'formula-of-other-operation',
    'formula of STATUS: sign the terms endpointId, clientOrderId, amountInCents, email, then',
    `shop902B4FF5${key}`,
    sale,
  ],
  [
    'the key first',
    'wrong-order',
    'the order is another: sign the terms endpointId, clientOrderId, amountInCents, email, then the key',
    key + right.replace(key, ''),
    sale,
  ],
  ['the terms backwards', 'wrong-order', 'then the key', `john.smith@gmail.com1042902B4FF51111${key}`, sale],
]

/** Expects that the control of this text is right. */
const isRight = (text: string, evidence: ControlEvidence) =>
  expect(explainControl({ ...evidence, control: sha1(text) })).toEqual({ explained: false, right: true })

describe('explainControl, over every way to make a mistake', () => {
  test.for(ROWS)('%s: names %s', ([, cause, names, text, evidence]) => {
    const found = explainControl({ ...evidence, control: sha1(text) })
    expect(found).toMatchObject({ explained: true, cause, advice: expect.stringContaining(names) })
    expect(JSON.stringify(found)).not.toContain(key)
  })

  test.for(ROWS)('%s in an upper-case control: names %s', ([, cause, , text, evidence]) => {
    expect(explainControl({ ...evidence, control: sha1(text).toUpperCase() })).toMatchObject({ cause })
  })

  test('names no cause for two mistakes: an amount that was neither trimmed nor written in minor units', () => {
    const evidence = { ...ofAmount(' 10.42 '), control: sha1(saleText(' 10.42 ')) }
    expect(explainControl(evidence)).toMatchObject({ explained: false, right: false })
  })

  test.for(['endpoint', 'group'] as const)('names the id of the %s if it was left out', (kind) => {
    const fields = { ...sale.fields, login: '' }
    const control = sha1(right.replace('1111', ''))
    const evidence: ControlEvidence = { ...sale, fields, path: { kind, id: '1111' }, control }
    expect(explainControl(evidence)).toMatchObject({
      cause: 'term-left-out',
      advice: 'endpointId was left out: sign the terms endpointId, clientOrderId, amountInCents, email, then the key',
      received: '902B4FF51042john.smith@gmail.com[key]',
    })
  })

  test.for(operations.flatMap((operation) => formulas[operation].map((term) => [term, operation] as const)))(
    'names %s if it was left out of %s, even if that makes the formula of another operation',
    ([term, operation]) => {
      const request = anyRequest(new Random(20_221_202), operation)
      const control = sha1(text(request, { [term]: '' }))
      expect(explainControl({ ...request.evidence, control })).toMatchObject({
        cause: 'term-left-out',
        advice: `${term} was left out: sign the terms ${formulas[operation].join(', ')}, then the key`,
      })
    },
  )

  test.for([
    ['md5', 'hex'],
    ['sha224', 'hex'],
    ['sha256', 'hex'],
    ['sha384', 'hex'],
    ['sha512', 'hex'],
    ['md5', 'base64'],
    ['sha1', 'base64'],
    ['sha256', 'base64'],
  ] as const)('knows %s in %s digits, however they arrive', ([name, encoding]) => {
    const digest = createHash(name).update(right).digest(encoding)
    const otherwise = encoding === 'hex' ? digest.toUpperCase() : digest.replaceAll('+', ' ').replace(/=+$/, '')
    for (const control of [digest, otherwise]) {
      expect(explainControl({ ...sale, control })).toMatchObject({
        cause: 'wrong-hash',
        advice: `the control is SHA-1 in 40 hexadecimal digits, not ${name} in ${encoding}`,
        expected: '1111902B4FF51042john.smith@gmail.com[key]',
        received: undefined,
      })
    }
  })

  test.for([
    ['sha1', 'hex'],
    ['sha1', 'base64'],
    ['md5', 'hex'],
    ['sha256', 'hex'],
    ['sha512', 'base64'],
  ] as const)('knows the HMAC of %s in %s digits, with and without the key behind the terms', ([name, encoding]) => {
    const evidence = { ...sale, fields: { ...sale.fields, email: 'a.longer.address@gmail.com' } }
    const terms = '1111902B4FF51042a.longer.address@gmail.com'
    for (const text of [terms + key, terms]) {
      const control = createHmac(name, key).update(text).digest(encoding)
      expect(explainControl({ ...evidence, control })).toMatchObject({
        cause: 'hmac-for-hash',
        advice: 'the control is the plain SHA-1 of the terms and the key, not an HMAC with the key',
        expected: `${terms}[key]`,
        received: undefined,
      })
    }
  })

  test('shows separators that were put into the text, but an added value and a changed key only by name', () => {
    const fields = { ...sale.fields, cvv2: '973' }
    expect(explainControl({ ...sale, fields, control: sha1(right.replace('john', '973john')) })).toMatchObject({
      cause: 'field-added',
      where: 16,
      received: '1111902B4FF51042[cvv2]john.smith@gmail.com[key]',
    })
    expect(explainControl({ ...sale, control: sha1(`1111|902B4FF5|1042|john.smith@gmail.com${key}`) })).toMatchObject({
      where: 4,
      received: '1111|902B4FF5|1042|john.smith@gmail.com[key]',
    })
    expect(explainControl({ ...sale, control: sha1(right.replace(key, key.toLowerCase())) })).toMatchObject({
      received: '1111902B4FF51042john.smith@gmail.com[key in another case]',
    })
  })

  test('knows base64 in which a form turned plus signs into spaces', () => {
    const fields = { ...sale.fields, email: 'jo@x' }
    const digest = Buffer.from(sha1(`1111902B4FF51042jo@x${key}`), 'hex').toString('base64')
    expect(digest).toContain('+')
    const control = digest.replaceAll('+', ' ')
    expect(explainControl({ ...sale, fields, control })).toMatchObject({ cause: 'wrong-hash' })
  })

  test.for([';', ' ', 'a'])('does not take a right control with %j after it for another hash', (more) => {
    expect(explainControl({ ...sale, control: sha1(right) + more })).toMatchObject({ explained: false, right: false })
  })

  test.for([' ', '\n'])('takes %j between two terms for the white space of one of them', (space) => {
    const evidence = { ...sale, formula: ['login', 'cardRefId'], fields: { login: 'shop', cardrefid: '4711' } }
    const found = (text: string) => explainControl({ ...evidence, control: sha1(text) })
    expect(found(`shop${space}4711${key}`)).toMatchObject({ cause: 'value-not-trimmed' })
    expect(found(`shop${space}4711${space}${key}`)).toMatchObject({ cause: 'terms-separated' })
  })

  test('does not take a term or the key that is there twice for an added field', () => {
    for (const text of [right.replace('.com', '.comjohn.smith@gmail.com'), key + right, right + key]) {
      expect(explainControl({ ...sale, control: sha1(text) })).toMatchObject({ explained: false, right: false })
    }
  })

  test('finds no cause, and does not throw, if a field has no UTF-8 form', () => {
    const fields = { ...sale.fields, email: '\ud800@' }
    expect(explainControl({ ...sale, fields, control: sha1('other') })).toMatchObject({
      explained: false,
      right: false,
    })
  })

  test('shows the texts with a name in place of each key', () => {
    const received = (text: string, more: Partial<ControlEvidence> = {}) =>
      explainControl({ ...sale, ...more, control: sha1(text) })
    expect(received(right.replace(key, 'sandbox'), { otherKeys: ['sandbox'] })).toMatchObject({
      received: '1111902B4FF51042john.smith@gmail.com[another key]',
    })
    expect(received(`${right} `)).toMatchObject({
      received: '1111902B4FF51042john.smith@gmail.com[key with other white space]',
    })
    expect(received(right.replace(key, ''))).toMatchObject({ received: '1111902B4FF51042john.smith@gmail.com' })
  })

  test('masks a key inside a field', () => {
    const fields = { ...sale.fields, email: `${key}@sandbox.example` }
    const found = explainControl({ ...sale, fields, otherKeys: ['sandbox'], control: sha1(`1111902B4FF51042x${key}`) })
    expect(found).toMatchObject({ explained: false })
    const wrong = explainControl({
      ...sale,
      fields,
      otherKeys: ['sandbox'],
      control: sha1(`1111902B4FF510.42${fields.email}${key}`),
    })
    expect(wrong).toMatchObject({ expected: `1111902B4FF51042${'*'.repeat(36)}@*******.example[key]` })
  })

  test('does not mistake a term for a path, an amount or an id', () => {
    const unknown = (text: string, more: Partial<ControlEvidence> = {}) =>
      expect(explainControl({ ...sale, ...more, control: sha1(text) })).toMatchObject({
        explained: false,
        right: false,
      })
    unknown(right.replace('902B4FF5', '77'))
    unknown(right.replace('1111', '77'), { path: { kind: 'endpoint', id: '1111' } })
    unknown(saleText('NaN'), { fields: { ...sale.fields, amount: 'ten' } })
    unknown(`1111undefined1042john.smith@gmail.com${key}`)
    unknown(right.replace('1111', 'undefined'), { path: { kind: 'endpoint', id: '1111' } })
    unknown(right.replace('902B4FF5', '4711.00'), { fields: { ...sale.fields, client_orderid: '4711' } })
    unknown(right.replace('1111', 'stored'), {
      path: { kind: 'endpoint', id: '' },
      absentValues: { undefined: ['stored'] },
    })
  })

  /** Part 5.1 of the specification, and gaps part 7.1: minor units, no point, no leading zeros. */
  test.for([
    ['10', '1000'],
    ['10.', '1000'],
    ['10.5', '1050'],
    [' 10.42 ', '1042'],
    ['0.05', '5'],
    ['0.94', '94'],
    ['00.94', '94'],
    ['0', '0'],
  ] as const)('[G7.1-03] signs the amount %s as %s', ([amount, signed]) => {
    isRight(saleText(signed), ofAmount(amount))
  })

  test.for(['x10.42', '10.42x', '10,42', '10.425', '.5', '1e3', '-1'])(
    'takes %s, which is not an amount, as it is',
    (amount) => {
      isRight(saleText(amount), ofAmount(amount))
    },
  )

  test('[S4-17] signs the currency only with an amount', () => {
    const transfer = { ...sale, formula: ['login', 'amountInCents', 'currency'] }
    isRight(`shop1042EUR${key}`, { ...transfer, fields: { login: 'shop', amount: '10.42', currency: 'EUR' } })
    isRight(`shop${key}`, { ...transfer, fields: { login: 'shop', amount: ' ', currency: 'EUR' } })
  })

  test('tells another key at the end of the text of the sender from other text before the right key', () => {
    const other = { ...sale, key: 'SHORT' }
    const terms = right.replace(key, '')
    const explain = (theirText: string) => explainControl({ ...other, theirText, control: sha1(theirText) })
    expect(explain(`${terms}sandbox`)).toMatchObject({
      cause: 'wrong-key',
      advice: expect.stringContaining('configure the control key of this merchant'),
      received: `${terms}[another key]`,
    })
    expect(explain(`${terms}--SHORT`)).toMatchObject({
      cause: 'different-text',
      advice: expect.stringContaining('compare both at the marked part'),
      received: `${terms}--[key]`,
    })
  })
})
