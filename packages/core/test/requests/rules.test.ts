import { catalogue, defineProfile, type Model, type OperationKey, parseRequest } from '@tallystick/core'
import type { Rule } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'
import * as rules from '../../src/requests/rules.ts'
import { validRequests } from './valid-requests.ts'

const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })

type Changes = Readonly<Record<string, unknown>>

/** The issues of a valid request after changes, as `field problem`. A change to `undefined` takes a field away. */
function issuesOf(key: OperationKey, changes: Changes): readonly string[] {
  const parsed = parseRequest(key, { ...validRequests[key].input, ...changes }, profile)
  return parsed.ok ? [] : parsed.issues.map(({ field, problem }) => `${field} ${problem}`)
}

const NO_CARD = {
  cardNumber: undefined,
  cardPrintedName: undefined,
  expireMonth: undefined,
  expireYear: undefined,
  cvv2: undefined,
}

describe('the state', () => {
  test.each(['US', 'CA', 'AU'])('[G3.1-02] is required for %s', (country) => {
    expect(issuesOf('sale', { country, state: undefined })).toEqual(['state is required when country is US, CA, AU'])
    expect(issuesOf('saleForm', { country, state: undefined })).toHaveLength(1)
    expect(issuesOf('accountVerification', { country, state: undefined })).toHaveLength(1)
    expect(issuesOf('sale', { country, state: 'WA' })).toEqual([])
  })

  test('[G3.1-02] is not required for others', () => {
    expect(issuesOf('sale', { country: 'DE', state: undefined })).toEqual([])
  })
})

describe('the source of the money', () => {
  test.each(['sale', 'preauth', 'accountVerification'] as const)(
    '[G13-15] %s takes a card, its reference or its recurring payment id',
    (key) => {
      expect(issuesOf(key, {})).toEqual([])
      expect(issuesOf(key, { ...NO_CARD, cardRefId: '5588943' })).toEqual([])
      expect(issuesOf(key, { ...NO_CARD, cardRecurringPaymentId: '17' })).toEqual([])
    },
  )

  test('[G13-15] is exactly one', () => {
    expect(issuesOf('sale', NO_CARD)).toEqual([
      'cardNumber is required unless another of cardNumber, cardRefId, cardRecurringPaymentId is given',
    ])
    expect(issuesOf('sale', { cardRefId: '5588943' })).toEqual(['cardRefId excludes cardNumber'])
    expect(issuesOf('sale', { ...NO_CARD, cardRefId: '1', cardRecurringPaymentId: '2' })).toEqual([
      'cardRecurringPaymentId excludes cardRefId',
    ])
  })

  test.each(['cardPrintedName', 'expireMonth', 'expireYear', 'cvv2'])('[G3.1-06] a card needs its %s', (name) => {
    expect(issuesOf('sale', { [name]: undefined })).toEqual([`${name} is required with cardNumber`])
  })
})

describe('the browser group', () => {
  const BROWSER = {
    browserInfo: undefined,
    browserAcceptHeader: undefined,
    browserUserAgent: undefined,
    browserJavascriptEnabled: undefined,
    browserLanguage: undefined,
    browserJavaEnabled: undefined,
    browserColorDepth: undefined,
    browserScreenWidth: undefined,
    browserScreenHeight: undefined,
    browserTimeZone: undefined,
  }

  test.each(['sale', 'preauth', 'accountVerification', 'transfer'] as const)('[G3.1-07] is optional for %s', (key) => {
    expect(issuesOf(key, BROWSER)).toEqual([])
    expect(issuesOf(key, { ...BROWSER, browserInfo: false })).toEqual([])
    expect(issuesOf(key, { ...BROWSER, browserJavascriptEnabled: true })).toEqual([])
  })

  test.each(['browserAcceptHeader', 'browserUserAgent', 'browserJavascriptEnabled', 'browserLanguage'])(
    '[G3.1-08] %s is required once the browser is announced',
    (name) => expect(issuesOf('sale', { [name]: undefined })).toEqual([`${name} is required when browserInfo is true`]),
  )

  test('[G3.1-08] so is the address of the customer of a transfer, which needs none otherwise', () => {
    const withoutAddress = { customerIp: undefined }
    expect(issuesOf('transfer', withoutAddress)).toEqual(['customerIp is required when browserInfo is true'])
    expect(issuesOf('transfer', { ...BROWSER, ...withoutAddress })).toEqual([])
  })

  test.each([
    'browserJavaEnabled',
    'browserColorDepth',
    'browserScreenWidth',
    'browserScreenHeight',
    'browserTimeZone',
  ])('[G3.1-08] %s is required only for a browser that runs scripts', (name) => {
    expect(issuesOf('sale', { [name]: undefined })).toEqual([
      `${name} is required when browserJavascriptEnabled is true`,
    ])
    expect(issuesOf('sale', { [name]: undefined, browserJavascriptEnabled: false })).toEqual([])
  })
})

describe('a part of the money', () => {
  test.each(['capture', 'return'] as const)('[G3.2-05] [G3.2-07] %s is in full without amount and currency', (key) => {
    expect(issuesOf(key, { amount: undefined, currency: undefined })).toEqual([])
    expect(issuesOf(key, {})).toEqual([])
  })

  test.each(['capture', 'return', 'void'] as const)('[G3.2-07] %s takes amount and currency only together', (key) => {
    expect(issuesOf(key, { currency: undefined })).toEqual(['currency is required with amount'])
    expect(issuesOf(key, { amount: undefined })).toEqual(['amount is required with currency'])
  })
})

describe('the destination of a payout', () => {
  const NO_DESTINATION = {
    cardNumber: undefined,
    cardPrintedName: undefined,
    expireMonth: undefined,
    expireYear: undefined,
    destinationCardRefId: undefined,
    accountNumber: undefined,
    bankBranch: undefined,
    bankProvince: undefined,
    bankCity: undefined,
    routingNumber: undefined,
    destinationWallet: undefined,
    destinationWalletType: undefined,
  }
  const NO_PHONE = { receiverPhone: undefined, phone: undefined }

  test.each([
    ['a card', { cardNumber: '4444333322221111' }],
    ['a stored card', { destinationCardRefId: '5588943' }],
    ['a bank account', { accountNumber: '40702810500000012345' }],
    ['a wallet', { destinationWallet: 'W-1', destinationWalletType: 'example' }],
  ])('[G3.2-12] [G13-24] is %s', (_name, destination) => {
    expect(issuesOf('payout', { ...NO_DESTINATION, ...NO_PHONE, ...destination })).toEqual([])
  })

  test.each(['receiverPhone', 'phone'])('[G13-09] is a phone: %s, with or without a bank', (name) => {
    const byPhone = { ...NO_DESTINATION, ...NO_PHONE, [name]: '+79031234567' }
    expect(issuesOf('payout', byPhone)).toEqual([])
    expect(issuesOf('payout', { ...byPhone, bankName: undefined })).toEqual([])
  })

  test.each([
    ['cardPrintedName', 'IVAN PETROV', 'cardNumber'],
    ['expireMonth', '1', 'cardNumber'],
    ['expireYear', '2031', 'cardNumber'],
    ['routingNumber', '044525225', 'accountNumber'],
    ['bankBranch', '1', 'accountNumber'],
    ['bankProvince', 'Moscow', 'accountNumber'],
    ['bankCity', 'Moscow', 'accountNumber'],
    ['destinationWalletType', 'example', 'destinationWallet'],
  ])('[G3.2-12] [G13-09] is not a phone if %s begins another', (part, value, way) => {
    for (const key of ['payout', 'payoutCheck'] as const) {
      const begun = { ...NO_DESTINATION, ...NO_PHONE, [part]: value }
      expect(issuesOf(key, begun)).toEqual([`${way} is required with ${part}`])
      expect(issuesOf(key, { ...begun, phone: '+79031234567' })).toEqual([`${way} is required with ${part}`])
      expect(issuesOf(key, { ...begun, receiverPhone: '+79031234567' })).toEqual([`${way} is required with ${part}`])
    }
  })

  test.each(['payout', 'payoutCheck'] as const)('[G3.2-12] [G3.4-04] of %s is exactly one', (key) => {
    const none = { ...NO_DESTINATION, ...NO_PHONE }
    expect(issuesOf(key, none)).toEqual([
      'cardNumber is required unless another of cardNumber, destinationCardRefId, accountNumber, destinationWallet, receiverPhone is given',
    ])
    const two = { ...none, cardNumber: '4444333322221111', accountNumber: '40702810500000012345' }
    expect(issuesOf(key, two)).toEqual(['accountNumber excludes cardNumber'])
  })

  test.each(['payout', 'payoutCheck'] as const)('of %s is said to be required, each way of it', (key) => {
    const { cardNumber, destinationCardRefId, accountNumber, destinationWallet, receiverPhone } =
      catalogue[key].request.fields
    const ways = [cardNumber, destinationCardRefId, accountNumber, destinationWallet, receiverPhone]
    for (const { condition } of ways) expect(condition).toMatch(/^for a payout to a /)
  })
})

describe('a transfer', () => {
  const NO_RECEIVER = { destinationCardNumber: undefined }

  test.each([
    ['card', 'card', {}, { destinationCardNumber: '4444333322221111' }],
    ['card', 'recurring payment', {}, { destinationCardRecurringPaymentId: '18' }],
    [
      'recurring payment',
      'card',
      { ...NO_CARD, cardRecurringPaymentId: '17' },
      { destinationCardNumber: '4444333322221111' },
    ],
    [
      'recurring payment',
      'recurring payment',
      { ...NO_CARD, cardRecurringPaymentId: '17' },
      { destinationCardRecurringPaymentId: '18' },
    ],
    ['deposit', 'card', { ...NO_CARD, depositToCard: true }, { destinationCardNumber: '4444333322221111' }],
    ['deposit', 'recurring payment', { ...NO_CARD, depositToCard: true }, { destinationCardRecurringPaymentId: '18' }],
    ['card', 'stored card', {}, { destinationCardRefId: '5588943' }],
  ])('[G3.4-05] [S2-17] goes from %s to %s', (_sender, _receiver, sender, receiver) => {
    expect(issuesOf('transfer', { ...NO_RECEIVER, ...sender, ...receiver })).toEqual([])
  })

  test('[G3.4-05] needs a sender', () => {
    expect(issuesOf('transfer', NO_CARD)).toEqual([
      'cardNumber is required unless another of cardNumber, cardRecurringPaymentId, depositToCard is given',
    ])
    expect(issuesOf('transfer', { ...NO_CARD, depositToCard: false })).toHaveLength(1)
    expect(issuesOf('transfer', { depositToCard: true })).toEqual(['depositToCard excludes cardNumber'])
    expect(issuesOf('transfer', { ...NO_CARD, cardRecurringPaymentId: '17', depositToCard: true })).toEqual([
      'depositToCard excludes cardRecurringPaymentId',
    ])
    expect(issuesOf('transfer', { depositToCard: false })).toEqual([])
    expect(issuesOf('transfer', { cardRecurringPaymentId: '17' })).toEqual([
      'cardRecurringPaymentId excludes cardNumber',
    ])
    expect(issuesOf('transfer', { expireMonth: undefined })).toEqual(['expireMonth is required with cardNumber'])
    expect(issuesOf('transfer', { cvv2: undefined })).toEqual([])
  })

  test('[S2-19] uses one receiver', () => {
    expect(issuesOf('transfer', { destinationCardRefId: '5588943' })).toEqual([
      'destinationCardRefId excludes destinationCardNumber',
    ])
    expect(issuesOf('transfer', NO_RECEIVER)).toHaveLength(1)
  })

  test('[S2-19] by reference uses either destination-card-no or destination-card-ref-id', () => {
    expect(issuesOf('transferByRef', {})).toEqual([])
    expect(issuesOf('transferByRef', { ...NO_RECEIVER, destinationCardRefId: '5588943' })).toEqual([])
    expect(issuesOf('transferByRef', { destinationCardRefId: '5588943' })).toEqual([
      'destinationCardRefId excludes destinationCardNumber',
    ])
    expect(issuesOf('transferByRef', NO_RECEIVER)).toEqual([
      'destinationCardNumber is required unless another of destinationCardNumber, destinationCardRefId is given',
    ])
  })
})

describe('pan eligibility', () => {
  test('[G3.2-13] [S2-21] asks of a stored card or of a card', () => {
    const stored = {
      sendingCardNumber: undefined,
      cardPrintedName: undefined,
      expireMonth: undefined,
      expireYear: undefined,
    }
    expect(issuesOf('panEligibilitySend', { ...stored, sendingCardRefId: '5588943' })).toEqual([])
    expect(issuesOf('panEligibilitySend', stored)).toHaveLength(1)
    expect(issuesOf('panEligibilitySend', { sendingCardRefId: '5588943' })).toEqual([
      'sendingCardNumber excludes sendingCardRefId',
    ])
  })

  test.each(['cardPrintedName', 'expireMonth', 'expireYear'])('[G3.2-13] needs %s with a card', (name) => {
    expect(issuesOf('panEligibilitySend', { [name]: undefined })).toEqual([
      `${name} is required with sendingCardNumber`,
    ])
  })
})

describe('a recurring payment', () => {
  const NO_AMOUNT = { amount: undefined, amountFrom: undefined, amountTo: undefined, amountSequence: undefined }

  test.each(['cardPrintedName', 'expireMonth', 'expireYear'])('[G3.4-01] needs %s for a card that pays', (name) => {
    expect(issuesOf('createRecurringPayment', { [name]: undefined })).toEqual([
      `${name} is required when recurringCardType is SRC`,
    ])
    expect(issuesOf('createRecurringPayment', { [name]: undefined, recurringCardType: 'DST' })).toEqual([])
  })

  test.each([
    ['an amount', { amount: '10.00' }],
    ['a range', { amountFrom: '5.00', amountTo: '15.00' }],
    ['a sequence', { amountSequence: '5.00,6.00,7.00' }],
  ])('[G3.4-02] [S4-52] takes %s', (_name, money) => {
    expect(issuesOf('createRecurringPayment', { ...NO_AMOUNT, ...money })).toEqual([])
  })

  test('[G3.4-02] takes exactly one of the three', () => {
    expect(issuesOf('createRecurringPayment', NO_AMOUNT)).toHaveLength(1)
    expect(issuesOf('createRecurringPayment', { amount: '10.00' })).toEqual(['amountFrom excludes amount'])
    expect(issuesOf('createRecurringPayment', { amountTo: undefined })).toEqual([
      'amountTo is required with amountFrom',
    ])
    expect(issuesOf('createRecurringPayment', { ...NO_AMOUNT, amount: '10.00', amountTo: '15.00' })).toEqual([
      'amountFrom is required with amountTo',
    ])
  })

  test('[G13-02] takes interval and period together or neither', () => {
    expect(issuesOf('createRecurringPayment', { interval: undefined, period: undefined })).toEqual([])
    expect(issuesOf('createRecurringPayment', { interval: undefined })).toEqual(['interval is required with period'])
    expect(issuesOf('createRecurringPayment', { period: undefined })).toEqual(['period is required with interval'])
  })

  test.each([
    ['period', ['day', 'week', 'month', 'year'], ['hour', 'Month', 'months']],
    ['interval', ['1', '366', 30], ['0', '367', '1.5', '-1']],
    ['startDate', ['2027-01-31', '2028-02-29'], ['2027-02-29', '31.01.2027', '20270131']],
    ['finishDate', ['2027-12-31'], ['2027-12-32', 'never']],
  ])('[G13-02] %s takes %j and refuses %j', (name, taken, refused) => {
    for (const value of taken) expect(issuesOf('createRecurringPayment', { [name]: value })).toEqual([])
    for (const value of refused) expect(issuesOf('createRecurringPayment', { [name]: value })).toHaveLength(1)
  })
})

/** What does not show, or turns the text around it; each inside of a name. */
const HIDDEN = {
  tab: '\t',
  'line break': '\n',
  'C1 control': '\u0085',
  'right-to-left override': '\u202e',
  isolate: '\u2067',
  'right-to-left mark': '\u200f',
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'word joiner': '\u2060',
  'soft hyphen': '\u00ad',
  'byte order mark': '\ufeff',
  'line separator': '\u2028',
  'Hangul filler': '\u3164',
  'variation selector': '\ufe0f',
  tag: '\u{e0041}',
}

describe('names that are printed', () => {
  const keys = (Object.keys(validRequests) as OperationKey[]).filter(
    (key) => 'clientOrderId' in validRequests[key].input,
  )

  test.each(Object.entries(HIDDEN))('[F-D8] have no %s inside, in any operation', (_what, hidden) => {
    expect(keys.length).toBeGreaterThan(20)
    for (const key of keys)
      expect(issuesOf(key, { clientOrderId: `inv${hidden}1` })).toEqual([
        'clientOrderId must be text of 1 to 128 characters, all printable',
      ])
    expect(issuesOf('capture', { login: `sh${hidden}op` })).toHaveLength(1)
    expect(issuesOf('status', { byRequestSn: `a${hidden}b` })).toHaveLength(1)
  })

  test.each(['inv-1', 'Счёт 77', 'فاتورة ٧٧', 'חשבון 77', '請求書-七', 'rechnung_ü/1#2', 'a b'])(
    '[F-D8] may be in any script: %s',
    (clientOrderId) => {
      for (const key of keys) expect(String(issuesOf(key, { clientOrderId }))).not.toContain('all printable')
    },
  )

  test("[F-D8] people's names and descriptions keep the marks that their scripts need", () => {
    const persian = 'می\u200cخواهم'
    expect(issuesOf('sale', { firstName: persian, lastName: 'מִזְרָחִי', orderDesc: `${persian}\nנעליים` })).toEqual([])
  })

  test('[F-D8] a finish date is not before the start date, whether there is a schedule or not', () => {
    const wrong = { startDate: '2028-01-02', finishDate: '2028-01-01' }
    const message = ['finishDate must not be before startDate']
    expect(issuesOf('createRecurringPayment', wrong)).toEqual(message)
    expect(issuesOf('createRecurringPayment', { ...wrong, interval: undefined, period: undefined })).toEqual(message)
    expect(issuesOf('createRecurringPayment', { ...wrong, finishDate: '2028-01-02' })).toEqual([])
  })
})

describe('rules', () => {
  const breachOf = (rule: Rule, values: Changes) => rule(values)?.field

  test('together: all or none', () => {
    const rule = rules.together('a', 'b')
    expect([{}, { a: 1, b: 1 }, { a: 1 }, { b: 1 }].map((values) => breachOf(rule, values))).toEqual([
      undefined,
      undefined,
      'b',
      'a',
    ])
  })

  test('exactlyOne: not none and not two', () => {
    const rule = rules.exactlyOne('a', 'b', 'c')
    const values = [{ a: 1 }, { c: 1 }, {}, { a: 1, b: 1 }, { b: 1, c: 1 }]
    expect(values.map((given) => breachOf(rule, given))).toEqual([undefined, undefined, 'a', 'b', 'c'])
  })

  test('requiredWhen and requiredWith: only under their condition', () => {
    const when = rules.requiredWhen('a', [true, 'x'], ['b'])
    expect([{}, { a: false }, { a: 'x' }, { a: true, b: 1 }].map((values) => breachOf(when, values))).toEqual([
      undefined,
      undefined,
      'b',
      undefined,
    ])
    const present = rules.requiredWith('a', 'b', 'c')
    expect([{}, { a: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: 1 }].map((values) => breachOf(present, values))).toEqual([
      undefined,
      'b',
      'c',
      undefined,
    ])
  })

  test('name only fields of their models, and every breach says what to do', () => {
    for (const { request } of Object.values(catalogue)) {
      const model: Model = request
      const everything = Object.fromEntries(Object.keys(model.fields).map((name) => [name, true]))
      const breaches = [{}, everything, { country: 'US' }, { browserInfo: true }, { cardNumber: 1 }].flatMap((values) =>
        model.rules.flatMap((rule) => rule(values) ?? []),
      )
      for (const { field, remedy } of breaches) {
        expect(Object.keys(model.fields)).toContain(field)
        expect(remedy).toMatch(/\.$/)
      }
    }
  })
})
