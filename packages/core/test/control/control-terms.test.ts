import { createHash } from 'node:crypto'
import {
  catalogue,
  controlTerms,
  defineProfile,
  encodeRequest,
  MalformedFormError,
  type OperationKey,
  operationKeys,
  type Pair,
  parseRequest,
} from '@tallystick/core'
import { type ControlTerms, termsOfRequest } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'
import { validRequests } from '../requests/valid-requests.ts'
import control from '../vectors/control.json' with { type: 'json' }

const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })

type ControlKey = {
  [K in OperationKey]: (typeof catalogue)[K]['auth']['scheme'] extends 'control' ? K : never
}[OperationKey]

function termsOf(key: ControlKey, pairs: readonly Pair[], endpointId = '1', brand = profile): ControlTerms {
  const { auth, request: model } = catalogue[key]
  return controlTerms({ auth, model, endpointId, pairs, profile: brand })
}

/** The string that is hashed, without the key. */
function textOf(result: ControlTerms): string {
  if (!result.ok) throw new Error(result.issues.map(({ problem }) => problem).join())
  return result.terms.join('')
}

const vector = (id: string) => {
  const found = control.vectors.find((entry) => entry.id === id)
  if (found === undefined) throw new Error(`there is no vector ${id}`)
  const { endpointId, ...fields }: Readonly<Record<string, string | undefined>> = found.fields
  const pairs = Object.entries(fields).map(([name, text]): Pair => [name, text ?? ''])
  return { ...found, endpointId, pairs }
}

describe('the vectors', () => {
  test.each<readonly [id: string, key: ControlKey]>([
    ['D1', 'sale'],
    ['P1', 'sale'],
    ['P1', 'saleForm'],
    ['P1', 'preauth'],
    ['P1', 'preauthForm'],
    ['P1', 'paymentForm'],
    ['P3', 'getCardInfo'],
    ['P5', 'capture'],
    ['P5', 'return'],
    ['P9', 'status'],
    ['W4', 'makeRebill'],
  ])('[S5.1-01] [S5.1-02] [S5.1-05] [S4-42] [G7.1-02] %s gives the string of %s', (id, key) => {
    const { pairs, endpointId, key: secret, string, control: digest } = vector(id)
    const text = textOf(termsOf(key, pairs, endpointId)) + secret
    expect(text).toBe(string)
    expect(createHash('sha1').update(text, 'utf8').digest('hex')).toBe(digest)
  })
})

describe('the formulas', () => {
  test.each<readonly [ControlKey, string]>([
    ['uploadCresResult', 'test-loginCLIENT-1122336684127'],
    ['uploadMethodUrlResult', 'test-loginCLIENT-1122336684127'],
    ['uploadParesResult', 'test-loginCLIENT-1122336684127'],
    ['sale', '253902B4FF51042john.smith@gmail.com'],
    ['saleForm', '253902B4FF51042john.smith@gmail.com'],
    ['preauth', '253902B4FF51042john.smith@gmail.com'],
    ['preauthForm', '253902B4FF51042john.smith@gmail.com'],
    ['paymentForm', '253902B4FF51042john.smith@gmail.com'],
    ['capture', 'test-loginCLIENT-112233PAYNET-1122331042USD'],
    ['return', 'test-loginCLIENT-112233PAYNET-1122331042USD'],
    ['void', 'test-loginCLIENT-112233PAYNET-112233'],
    ['accountVerification', '253902B4FF5john.smith@gmail.com'],
    ['accountVerificationForm', '253902B4FF5john.smith@gmail.com'],
    ['createCardRef', 'test-loginCLIENT-112233PAYNET-112233'],
    ['getCardInfo', 'test-login5588943'],
    ['makeRebill', 'test-loginCLIENT-112244132658694USD'],
    ['status', 'test-loginCLIENT-112233PAYNET-112233'],
  ])('[S5.1-01] %s hashes %s and the key', (key, expected) => {
    const parsed = parseRequest(key, validRequests[key].input, profile)
    const pairs = parsed.ok ? encodeRequest(key, parsed.value as never, profile) : []
    expect(textOf(termsOf(key, pairs, '253'))).toBe(expected)
  })

  test('are those of the 17 operations with a control', () => {
    expect(operationKeys.filter((key) => catalogue[key].auth.scheme === 'control')).toHaveLength(17)
  })
})

const ORDER: readonly Pair[] = [
  ['login', 'test-login'],
  ['client_orderid', 'CLIENT-112233'],
  ['orderid', '5588943'],
]

describe('optional terms', () => {
  test.each(['capture', 'return'] as const)(
    '[G3.2-05] [G3.2-07] [G7.1-04] %s leaves amount and currency out when none were sent',
    (key) => {
      expect(textOf(termsOf(key, ORDER))).toBe('test-loginCLIENT-1122335588943')
      expect(textOf(termsOf(key, [...ORDER, ['currency', 'EUR']]))).toBe('test-loginCLIENT-1122335588943')
      expect(textOf(termsOf(key, [...ORDER, ['amount', ''], ['currency', 'EUR']]))).toBe(
        'test-loginCLIENT-1122335588943',
      )
      expect(textOf(termsOf(key, [...ORDER, ['amount', ' '], ['currency', 'EUR']]))).toBe(
        'test-loginCLIENT-1122335588943',
      )
    },
  )

  test('[S5.1-03] [S4-30] status without orderid has an empty term', () => {
    const byClientOrderId = ORDER.filter(([name]) => name !== 'orderid')
    expect(termsOf('status', byClientOrderId)).toEqual({ ok: true, terms: ['test-login', 'CLIENT-112233', ''] })
    expect(termsOf('status', [...byClientOrderId, ['orderid', '']])).toEqual({
      ok: true,
      terms: ['test-login', 'CLIENT-112233', ''],
    })
  })

  test('[G3.2-06] an amount that is sent with void is not signed', () => {
    const pairs: readonly Pair[] = [...ORDER, ['amount', '10.00'], ['currency', 'EUR']]
    expect(textOf(termsOf('void', pairs))).toBe('test-loginCLIENT-1122335588943')
  })

  test('[G3.2-11] by-request-sn is not signed', () => {
    expect(textOf(termsOf('status', [...ORDER, ['by-request-sn', '0001']]))).toBe('test-loginCLIENT-1122335588943')
  })
})

describe('terms', () => {
  const sale = (changes: Readonly<Record<string, string>>): readonly Pair[] =>
    Object.entries({ client_orderid: 'A1', amount: '10.00', email: 'a@b.de', currency: 'EUR', ...changes })

  test('[G1-04] the id of a group replaces the endpoint id', () => {
    expect(textOf(termsOf('sale', sale({}), '77'))).toBe('77A11000a@b.de')
  })

  test('[G7.1-04] are neither trimmed nor changed in case', () => {
    expect(textOf(termsOf('sale', sale({ email: ' John@B.DE ' }), '7'))).toBe('7A11000 John@B.DE ')
  })

  test('[S5.1-04] are found under the other spellings of their fields', () => {
    const pairs: readonly Pair[] = [
      ['login', 'l'],
      ['client_orderid', 'c'],
      ['orderid', '1'],
    ]
    expect(textOf(termsOf('uploadCresResult', pairs))).toBe('lc1')
    expect(
      textOf(
        termsOf('status', [
          ['login', 'l'],
          ['client-order-id', 'c'],
          ['orderid', '1'],
        ]),
      ),
    ).toBe('lc1')
  })

  test('do not contain authentication or undocumented fields', () => {
    expect(textOf(termsOf('sale', sale({ control: 'c6bd', other: 'x' }), '7'))).toBe('7A11000a@b.de')
  })

  test.each([
    ['amount', { amount: '10.423' }, 'must have at most 2 decimals'],
    [
      'amount',
      { amount: '1e3' },
      'must be a decimal text above zero in major units, such as "10.42", of at most 10 characters',
    ],
    [
      'amount',
      { amount: '01' },
      'must be a decimal text above zero in major units, such as "10.42", of at most 10 characters',
    ],
    ['email', { email: 'nobody' }, 'must be an e-mail address of at most 50 characters'],
  ])('with a wrong %s are an issue, by both names', (field, changes, problem) => {
    expect(termsOf('sale', sale(changes))).toMatchObject({ ok: false, issues: [{ field, wireName: field, problem }] })
  })

  test('[G13-06] amounts have two decimals for every currency, or those of ISO 4217 by profile', () => {
    const iso = defineProfile({ baseUrl: profile.baseUrl, exponents: 'iso-4217' })
    const termOf = (amount: string, currency: string, brand = profile) =>
      termsOf('sale', sale({ amount, currency }), '7', brand)
    expect(textOf(termOf('1050', 'JPY'))).toBe('7A1105000a@b.de')
    expect(textOf(termOf('1050', 'JPY', iso))).toBe('7A11050a@b.de')
    expect(textOf(termOf('1.234', 'KWD', iso))).toBe('7A11234a@b.de')
    expect(textOf(termOf(' 1050 ', ' JPY ', iso))).toBe('7A11050a@b.de')
    expect(termOf('1.5', 'JPY', iso)).toMatchObject({ issues: [{ problem: 'must have at most 0 decimals' }] })
  })

  test('are read by the names of a profile', () => {
    const brand = defineProfile({ baseUrl: profile.baseUrl, wireNames: { StatusRequest: { orderId: 'order' } } })
    const pairs: readonly Pair[] = [
      ['login', 'l'],
      ['client_orderid', 'c'],
      ['order', '1'],
    ]
    expect(textOf(termsOf('status', pairs, '1', brand))).toBe('lc1')
  })

  test('do not exist for a form with a repeated name', () => {
    expect(() => termsOf('status', [...ORDER, ['orderid', '2']])).toThrow(MalformedFormError)
  })
})

describe('termsOfRequest', () => {
  const controlled = operationKeys.filter((key): key is ControlKey => catalogue[key].auth.scheme === 'control')
  const respelled = defineProfile({
    baseUrl: profile.baseUrl,
    exponents: 'iso-4217',
    wireNames: { SaleRequest: { amount: 'sum', currency: 'money' } },
  })

  /** A valid request with these changes, parsed; nothing if it is no longer valid. */
  function parsed(key: ControlKey, changes: Readonly<Record<string, unknown>>, brand = profile) {
    const result = parseRequest(key, { ...validRequests[key].input, ...changes }, brand)
    return result.ok ? [result.value] : []
  }

  describe.each([
    ['the documented names', profile],
    ['the names and decimals of a brand', respelled],
  ])('by %s', (_, brand) => {
    test.each(controlled)('[S5.1-01] gives the same terms for the values of %s as for its form', (key) => {
      const left = ['amount', 'currency', 'email', 'orderId'].map((name) => ({ [name]: undefined }))
      const changes = [
        {},
        ...left,
        { amount: undefined, currency: undefined },
        { amount: '90', currency: 'JPY' },
        { amount: ' 0.5 ' },
      ]
      const values = changes.flatMap((each) => parsed(key, each, brand))
      expect(values.length).toBeGreaterThan(0)
      for (const value of values) {
        const terms = termsOfRequest({ auth: catalogue[key].auth, endpointId: '253', profile: brand }, value)
        expect(termsOf(key, encodeRequest(key, value, brand), '253', brand)).toEqual({ ok: true, terms })
      }
    })
  })

  test('[S5.1-01] [S5.1-02] are those of the specification', () => {
    const [sale] = parsed('sale', { amount: '10.4', email: 'a@example.com', clientOrderId: 'a' })
    if (sale === undefined) throw new Error('the sale is valid')
    const terms = termsOfRequest({ auth: catalogue.sale.auth, endpointId: '77', profile }, sale)
    expect(terms).toEqual(['77', 'a', '1040', 'a@example.com'])
  })
})
