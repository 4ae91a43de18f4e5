import {
  Cvv,
  catalogue,
  decodeRequest,
  defineProfile,
  encodeRequest,
  MalformedFormError,
  type Model,
  type OperationKey,
  operationKeys,
  type Pair,
  Pan,
  parseForm,
  parseRequest,
  serializeForm,
} from '@tallystick/core'
import { callbackQueryIssue, type FieldIssue, Masked, type Parsed, writeRequest } from '@tallystick/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validRequests } from '../requests/valid-requests.ts'

const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet', recurringExtensions: true })

function parsedValue<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.issues.map(({ field, problem }) => `${field} ${problem}`).join('; '))
  return parsed.value
}

/** The issues of a request that is refused. */
function issuesOf(
  key: OperationKey,
  changes: Readonly<Record<string, unknown>>,
  brand = profile,
): readonly FieldIssue[] {
  const parsed = parseRequest(key, { ...validRequests[key].input, ...changes }, brand)
  return parsed.ok ? [] : parsed.issues
}

/** With card data as text, for comparison: `Pan` and `Cvv` hide it from `toEqual` as well. */
function revealed(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value instanceof Masked ? value.reveal() : value]),
  )
}

test('[S4-04] a field that is too long for the fast path is written like its pairs, and so are the fields behind it', () => {
  const input = { ...validRequests.uploadParesResult.input, paRes: 'ü'.repeat(9000) }
  const request = parsedValue(parseRequest('uploadParesResult', input, profile))
  const pairs = encodeRequest('uploadParesResult', request, profile)
  expect(writeRequest('uploadParesResult', request, profile)).toBe(serializeForm(pairs))
})

describe.each(operationKeys)('%s', (key) => {
  const { input, wire } = validRequests[key]
  const values = () => parsedValue(parseRequest(key, input, profile))

  test('[S4-04] [S4-05] [G2.4-01] is written as its form and read back with the same values', () => {
    const pairs = encodeRequest(key, values(), profile)
    expect(Object.fromEntries(pairs)).toEqual(wire)
    const arrived = parseForm(serializeForm(pairs))
    const read = parsedValue(decodeRequest(key, arrived, profile))
    expect(revealed(read)).toEqual({ ...input, extra: {} })
    expect(revealed(read)).toEqual(revealed(values()))
  })

  const long = 'x'.repeat(5000)

  test.each([{}, { extra: { 'brand-field': 'ü & y', other: 'z' } }, { extra: { long, other: 'z' } }])(
    'is written directly as by its pairs, with %o',
    (more) => {
      const request = parsedValue(parseRequest(key, { ...input, ...more }, profile))
      const pairs = encodeRequest(key, request, profile)
      expect(writeRequest(key, request, profile)).toBe(serializeForm(pairs))
      const authentication: readonly Pair[] = [
        ['oauth_nonce', 'a+b'],
        ['control', 'c'],
      ]
      expect(writeRequest(key, request, profile, authentication)).toBe(serializeForm([...pairs, ...authentication]))
    },
  )

  test('is written in the order of its model, its extra fields last', () => {
    const model: Model = catalogue[key].request
    const order = Object.values(model.fields).map((field) => field.wireName)
    const extended = parsedValue(parseRequest(key, { ...input, extra: { undocumented: '1' } }, profile))
    const names = encodeRequest(key, extended, profile).map(([name]) => name)
    expect(names.slice(0, -1)).toEqual(order.filter((name) => names.includes(name)))
    expect(names.at(-1)).toBe('undocumented')
  })

  test('is respelled by a profile', () => {
    const model: Model = catalogue[key].request
    const spelled = Object.fromEntries(Object.keys(model.fields).map((name) => [name, `brand-${name}`]))
    const brand = defineProfile({ ...profile, wireNames: { [model.name]: spelled } })
    const pairs = encodeRequest(key, values(), brand)
    expect(pairs.every(([name]) => name.startsWith('brand-'))).toBe(true)
    expect(revealed(parsedValue(decodeRequest(key, pairs, brand)))).toEqual({ ...input, extra: {} })
  })

  const model: Model = catalogue[key].request
  const needed = Object.entries(model.fields).filter(([, { necessity }]) => necessity === 'required')

  test.runIf(needed.length > 0)('is refused if a required field is missing, and names it by both names', () => {
    for (const [field, { wireName, meaning }] of needed) {
      for (const absent of [undefined, null, '', '  ']) {
        expect(issuesOf(key, { [field]: absent })).toContainEqual({
          field,
          wireName,
          problem: 'is required',
          remedy: `Supply it: ${meaning}`,
        })
      }
    }
  })

  test('[G2.4-01] drops white space at either end, and blank fields', () => {
    const padded = Object.entries(wire).map(([name, text]): Pair => [name, ` \t${text}\n `])
    const read = parsedValue(decodeRequest(key, [...padded, ['undocumented', ' x ']], profile))
    expect(revealed(read)).toEqual({ ...input, extra: { undocumented: 'x' } })
  })

  test('ignores the parameters of authentication', () => {
    const signed: readonly Pair[] = [...Object.entries(wire), ['control', 'c6bd'], ['oauth_nonce', '1']]
    expect(revealed(parsedValue(decodeRequest(key, signed, profile)))).toEqual({ ...input, extra: {} })
  })

  test('refuses unknown fields by name', () => {
    expect(issuesOf(key, { notInTheModel: '4444555566661111' })).toEqual([
      {
        field: 'notInTheModel',
        wireName: 'notInTheModel',
        problem: `is no field of ${catalogue[key].request.name}`,
        remedy: 'Check its spelling. A field that is not documented belongs in `extra`, under its wire name.',
      },
    ])
  })

  test('its extra cannot smuggle in a field of its own, in any spelling, or authentication', () => {
    const model: Model = catalogue[key].request
    const known = Object.entries(model.fields).flatMap(([name, { wireName, aliases }]) =>
      [wireName, ...aliases].map((spelling) => [spelling, ` and supply it as ${name}`] as const),
    )
    const authentication = ['control', 'oauth_nonce', 'oauth_signature'].map((name) => [name, ''] as const)
    for (const [wireName, place] of [...known, ...authentication]) {
      const [issue] = issuesOf(key, { extra: { [wireName]: 'smuggled' } })
      expect(issue).toEqual({
        field: 'extra',
        wireName,
        problem: 'must not hold a field that the library writes',
        remedy: `Take it out of extra${place}.`,
      })
    }
  })

  test('never quotes a value', () => {
    const model: Model = catalogue[key].request
    const canary = '\u0000canary'
    const broken = Object.fromEntries(Object.keys(model.fields).map((field) => [field, { canary }]))
    const issues = issuesOf(key, { ...broken, extra: { control: canary } })
    expect(issues.length).toBeGreaterThanOrEqual(Object.keys(model.fields).length)
    expect(JSON.stringify(issues)).not.toContain('canary')
  })
})

test('every wrong field is named at once, including an amount with too many decimals', () => {
  const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })
  const read = parseRequest('capture', { amount: '3.505', currency: 'eur', clientOrderId: 'a' }, profile)
  expect(read.ok ? [] : read.issues.map(({ field }) => field).toSorted()).toEqual([
    'amount',
    'currency',
    'login',
    'orderId',
  ])
})

test('an amount that is wrong in two ways is named once, and one that only has white space around it not at all', () => {
  expect(issuesOf('capture', { amount: '3.50555', currency: 'EUR' }).map(({ field }) => field)).toEqual(['amount'])
  expect(issuesOf('capture', { amount: ' 3.50 ', currency: 'eur' }).map(({ field }) => field)).toEqual(['currency'])
})

describe('wrong fields', () => {
  test.each([
    ['cvv2', 123, 'must be 3 or 4 digits'],
    ['cardNumber', 4444555566661111, 'must be 12 to 19 digits that pass the Luhn check'],
    ['zipCode', 10115n, 'must be text of 1 to 10 characters'],
    ['amount', 10.5, 'must be a decimal text above zero in major units, such as "10.42", of at most 10 characters'],
  ])('%s as a number must be text: nothing else may be wrong with it', (name, number, problem) => {
    expect(issuesOf('sale', { [name]: number })).toMatchObject([
      {
        problem,
        remedy: 'Send it as text, in quotes: a number loses leading zeros, and digits if it has many.',
      },
    ])
  })

  test.each([
    ['expireMonth', 13, 'Send the month that is printed on the card, such as "04".'],
    ['cardNumber', 4444555566661112, 'Send the digits without spaces, and check that none was mistyped.'],
    ['cvv2', [123], 'Send the code as printed on the card.'],
  ])('%s of %j is also wrong as a text', (name, value, remedy) => {
    expect(issuesOf('sale', { [name]: value })).toMatchObject([{ remedy }])
  })

  test('are described by both names, the bound and the remedy', () => {
    expect(issuesOf('sale', { expireMonth: '13', cardNumber: '4444555566661112' })).toEqual([
      {
        field: 'cardNumber',
        wireName: 'credit_card_number',
        problem: 'must be 12 to 19 digits that pass the Luhn check',
        remedy: 'Send the digits without spaces, and check that none was mistyped.',
      },
      {
        field: 'expireMonth',
        wireName: 'expire_month',
        problem: 'must be a whole number from 1 to 12',
        remedy: 'Send the month that is printed on the card, such as "04".',
      },
    ])
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is unknown like any other', (name) => {
    const input: Readonly<Record<string, unknown>> = JSON.parse(
      JSON.stringify(validRequests.status.input).replace('{', `{"${name}":"x",`),
    )
    const parsed = parseRequest('status', input, profile)
    expect(parsed.ok ? [] : parsed.issues.map(({ field }) => field)).toEqual([name])
  })

  test('an extra that is no object of texts is refused', () => {
    for (const extra of ['x', [1], { a: 1 }, { a: null }]) {
      expect(issuesOf('status', { extra })).toMatchObject([{ field: 'extra', problem: 'must be an object of texts' }])
    }
  })

  test('an extra that cannot be encoded is refused', () => {
    for (const extra of [{ '': 'x' }, { a: '\ud800' }, { '\udfff': 'x' }]) {
      expect(issuesOf('status', { extra })).toMatchObject([
        {
          field: 'extra',
          problem: 'must hold texts of whole characters under names that are not empty',
          remedy: 'Check where the text was cut, and name every field.',
        },
      ])
    }
  })

  test.each([
    ['4444555566661111\ud800', '444455******1111\ud800'],
    ['oauth_4444 5555 6666 1111', 'oauth_444455******1111'],
  ])('an extra whose name holds a card number is refused by its masked name: %j', (name, wireName) => {
    expect(issuesOf('status', { extra: { [name]: 'x' } })).toMatchObject([{ field: 'extra', wireName }])
  })

  test('two spellings of one field in extra are two issues and no exception', () => {
    const extra = { 'client-order-id': 'a', 'client-orderid': 'b' }
    expect(issuesOf('sale', { extra }).map(({ wireName }) => wireName)).toEqual(['client-order-id', 'client-orderid'])
  })

  test('[G13-06] amounts with more decimals than the currency has are refused', () => {
    const iso = defineProfile({ baseUrl: profile.baseUrl, exponents: 'iso-4217' })
    const problemOf = (amount: string, currency: string, brand = profile) =>
      issuesOf('sale', { amount, currency }, brand).map(({ field, problem }) => `${field} ${problem}`)
    expect(problemOf('1.234', 'KWD')).toEqual(['amount must have at most 2 decimals'])
    expect(problemOf('1.234', 'KWD', iso)).toEqual([])
    expect(problemOf('1.5', 'JPY')).toEqual([])
    expect(problemOf('1.5', 'JPY', iso)).toEqual(['amount must have at most 0 decimals'])
    expect(problemOf('1.5,2', 'JPY', iso)).toHaveLength(1)
    expect(issuesOf('makeRebill', { enumerateAmounts: '5.00,4.005', currency: 'EUR' })).toMatchObject([
      { field: 'enumerateAmounts', problem: 'must have at most 2 decimals' },
    ])
    expect(issuesOf('makeRebill', { enumerateAmounts: '5,4', amount: '6', currency: 'JPY' }, iso)).toEqual([])
    expect(issuesOf('createRecurringPayment', { amountTo: '15.001' })).toMatchObject([
      {
        field: 'amountTo',
        wireName: 'amount-to',
        remedy:
          'Round it. If this currency has more decimals at the gateway, set `exponents` where you make the client (`profile`).',
      },
    ])
  })

  test('whatever a caller supplies is a request or a list of issues', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operationKeys), fc.dictionary(fc.string(), fc.anything()), (key, changes) => {
        const parsed = parseRequest(key, { ...validRequests[key].input, ...changes }, profile)
        expect(parsed.ok || parsed.issues.length > 0).toBe(true)
      }),
    )
  })
})

describe('spellings', () => {
  const decode = (key: OperationKey, change: (wire: Record<string, string>) => void) => {
    const wire: Record<string, string> = { ...validRequests[key].wire }
    change(wire)
    return parsedValue(decodeRequest(key, Object.entries(wire), profile))
  }

  const respell = (from: string, to: string) => (wire: Record<string, string>) => {
    wire[to] = wire[from] ?? ''
    delete wire[from]
  }

  test.each([
    ['sale', 'client_orderid', 'client-order-id', 'clientOrderId'],
    ['sale', 'client_orderid', 'client-orderid', 'clientOrderId'],
    ['sale', 'purpose', 'destination', 'purpose'],
    ['uploadCresResult', 'client-order-id', 'client_orderid', 'clientOrderId'],
    ['makeRebill', 'cardrefid', 'card-ref-id', 'cardRefId'],
    ['createRecurringPayment', 'client-orderid', 'client_orderid', 'clientOrderId'],
    ['createRecurringPayment', 'Endpoint', 'endpoint', 'endpoint'],
    ['transferByRef', 'client-order-id', 'client_orderid', 'clientOrderId'],
  ] as const)('%s reads %s also as %s', (key, wireName, spelling, name) => {
    expect(decode(key, respell(wireName, spelling))).toMatchObject({ [name]: validRequests[key].wire[wireName] })
  })

  test.each([
    ['client-order-id', 'client_orderid', 'clientOrderId'],
    ['card-printed-name', 'card_printed_name', 'cardPrintedName'],
    ['expire-month', 'expire_month', 'expireMonth'],
    ['expire-year', 'expire_year', 'expireYear'],
  ] as const)('[G12-06] pan-eligibility reads %s also as %s', (wireName, spelling, name) => {
    const { wire } = validRequests.panEligibilitySend
    expect(decode('panEligibilitySend', respell(wireName, spelling))).toMatchObject({ [name]: wire[wireName] })
  })

  test.each(['panEligibilitySend', 'createRecurringPayment', 'sale'] as const)(
    '[G12-06] %s reads server-callback-url too',
    (key) => {
      const read = decode(key, (wire) => {
        delete wire['server_callback_url']
        wire['server-callback-url'] = 'https://a.example/b'
      })
      expect(read).toMatchObject({ serverCallbackUrl: 'https://a.example/b', extra: {} })
    },
  )

  test.each(['cres', 'CRes', 'CRES'])('[G12-08] upload-cres-result reads cRes also as %s', (spelling) => {
    expect(decode('uploadCresResult', respell('cRes', spelling))).toMatchObject({
      cRes: validRequests.uploadCresResult.wire['cRes'],
    })
  })

  test.each(['pares', 'PaRes', 'PARES'])('[G12-08] upload-pares-result reads paRes also as %s', (spelling) => {
    expect(decode('uploadParesResult', respell('paRes', spelling))).toMatchObject({
      paRes: validRequests.uploadParesResult.wire['paRes'],
    })
  })

  test('upload-pares-result reads MD too', () => {
    expect(decode('uploadParesResult', respell('md', 'MD'))).toMatchObject({ md: 'BB4A51' })
  })

  test('a field under two spellings counts once when they agree, and is refused when they do not', () => {
    const both = (second: string) => () =>
      decode('sale', (wire) => {
        wire['client-order-id'] = second
      })
    expect(both('902B4FF5')()).toMatchObject({ clientOrderId: '902B4FF5', extra: {} })
    expect(both('another')).toThrow(MalformedFormError)
    expect(both('another')).toThrow(
      'The form gives clientOrderId twice with different values, once as client-order-id; send it once.',
    )
  })

  test('a name that comes twice is refused', () => {
    const twice: readonly Pair[] = [...Object.entries(validRequests.status.wire), ['login', 'test-login']]
    expect(() => decodeRequest('status', twice, profile)).toThrow(MalformedFormError)
  })

  test('what is not documented passes through in extra', () => {
    const read = decode('sale', (wire) => {
      wire['brand-field'] = 'ünïcode'
    })
    expect(read.extra).toEqual({ 'brand-field': 'ünïcode' })
    expect(encodeRequest('sale', read as never, profile)).toContainEqual(['brand-field', 'ünïcode'])
  })
})

describe('values', () => {
  const sale = (changes: Readonly<Record<string, unknown>>) =>
    parsedValue(parseRequest('sale', { ...validRequests.sale.input, ...changes }, profile))

  test('card data is taken as text or as its own type, and held so that it cannot be printed', () => {
    for (const [cardNumber, cvv2] of [
      ['4444555566661111', '123'],
      [new Pan('4444555566661111'), new Cvv('123')],
    ]) {
      const request = sale({ cardNumber, cvv2 })
      expect(request.cardNumber).toBeInstanceOf(Pan)
      expect(request.cvv2).toBeInstanceOf(Cvv)
      expect(JSON.stringify(request)).not.toMatch(/4444555566661111|"123"/)
      expect(Object.fromEntries(encodeRequest('sale', request, profile))).toMatchObject({
        credit_card_number: '4444555566661111',
        cvv2: '123',
      })
    }
  })

  test.each([
    ['1', '01'],
    ['01', '01'],
    ['12', '12'],
    [4, '04'],
  ])('[G3.1-06] the month %o is sent as %s', (expireMonth, sent) =>
    expect(sale({ expireMonth }).expireMonth).toBe(sent),
  )

  test.each(['0', '13', '1.5', 4.5, 'Jan', '-1', true])('[G3.1-06] the month %o is refused', (expireMonth) => {
    expect(issuesOf('sale', { expireMonth }).map(({ field }) => field)).toEqual(['expireMonth'])
  })

  test.each([
    ['2030', '2030'],
    ['30', '2030'],
    ['05', '2005'],
    [2030, '2030'],
  ])('[G3.1-06] the year %o is sent as %s', (expireYear, sent) => expect(sale({ expireYear }).expireYear).toBe(sent))

  test.each(['1999', '2100', '3', '203', '20300', 'now'])('[G3.1-06] the year %o is refused', (expireYear) => {
    expect(issuesOf('sale', { expireYear }).map(({ field }) => field)).toEqual(['expireYear'])
  })

  test.each([true, 'true', false, 'false'])('a flag may be %o', (browserJavaEnabled) => {
    expect(sale({ browserJavaEnabled }).browserJavaEnabled).toBe(String(browserJavaEnabled) === 'true')
  })
})

describe('the query of a callback address', () => {
  test.each([
    ['?orderid=77', 'orderid'],
    ['?shop=7&type=card', 'type'],
    ['?merchant_order=1', 'merchant_order'],
    ['?client_orderid', 'client_orderid'],
    ['?card-type=', 'card-type'],
    ['?%6frder%69d=77', 'orderid'],
    ['?error-code=1', 'error-code'],
    ['?control=x#part', 'control'],
    ['?status[]=1', 'status'],
    ['?a=%&status=new', 'status'],
  ])('[F-A9] [G6-06] must not name what a callback says: %s', (query, name) => {
    const address = `https://shop.example.com/cb${query}`
    const problem = `must not have ${name} in its query: a callback adds it`
    expect(callbackQueryIssue(address)).toBe(problem)
    expect(issuesOf('sale', { serverCallbackUrl: address })).toMatchObject([
      { field: 'serverCallbackUrl', wireName: 'server_callback_url', problem },
    ])
  })

  test.each([
    '',
    '?',
    '?shop=7',
    '?shop=7&shop=8',
    '?order=1&Status=x',
    '?x=orderid%3D77',
    '#?orderid=77',
    '?id=%',
    '?items[]=1&items[]=2',
    '?coupon=50%',
    '?caf\u00e9=1',
    '?=1',
    `?${'a&'.repeat(70)}`,
  ])('may hold parameters of the merchant: %s', (query) => {
    expect(callbackQueryIssue(`https://shop.example.com/orderid${query}`)).toBeUndefined()
  })

  test('may not hold so many that a reader refuses the callback', () => {
    expect(callbackQueryIssue(`https://shop.example.com/?${'a&'.repeat(71)}`)).toBe(
      'must have at most 70 parameters in its query',
    )
  })
})
