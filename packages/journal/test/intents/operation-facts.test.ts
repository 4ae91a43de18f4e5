import { Cvv, catalogue, operationKeys, Pan } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import {
  digestOf,
  isJournaled,
  kindOf,
  minorUnitsOf,
  moneyOf,
  unattendedInput,
} from '../../src/intents/operation-facts.ts'

describe('An operation', () => {
  test('makes an order, changes one, or stores a card', () => {
    const journaled = operationKeys.filter(isJournaled)
    const harmful = operationKeys.filter((key) => ['moves-money', 'stores-card'].includes(catalogue[key].effect))
    expect(harmful.filter((key) => !isJournaled(key))).toEqual([
      'createRecurringPayments',
      'processRecurringPayments',
      'updateRecurringPayments',
    ])
    const of = (kind: string) => journaled.filter((key) => kindOf(key) === kind)
    expect(of('modification')).toEqual(['capture', 'void', 'return', 'payoutPay'])
    expect(of('card')).toEqual(['createCardRef', 'createCardRefV4', 'createRecurringPayment', 'updateRecurringPayment'])
    expect(of('opening')).toHaveLength(journaled.length - 8)
  })
})

describe('What the journal stores to send a request without its caller', () => {
  const money = { amount: '3.00', currency: 'USD' }
  const order = { clientOrderId: 'order-a', orderId: '4111111111111111' }
  const rebill = { ...money, cardRefId: '123456789012345', orderDesc: 'a month', customerIp: '192.0.2.1' }
  const payout = { ...money, orderDesc: 'won' }

  test.each([
    ['capture', { ...order, ...money }],
    ['void', order],
    ['return', { ...order, ...money, comment: 'broken' }],
    ['payoutPay', order],
    ['makeRebill', { ...rebill, serverCallbackUrl: 'https://shop.example.com/callback' }],
    // Its digits pass the check of card numbers, as one of ten references does.
    ['makeRebill', { ...rebill, cardRefId: '411111111111116' }],
    ['payout', { ...payout, destinationCardRefId: '123456789012345' }],
    ['payoutCheck', { ...payout, destinationCardRefId: '123456789012345', orderDesc: 'of 2 days' }],
    ['transferByRef', { ...payout, destinationCardRefId: '123456789012345' }],
    ['transfer', { ...payout, depositToCard: 'true', destinationCardRecurringPaymentId: '77' }],
    ['processRecurringPayment', { recurringPaymentId: '77', ...money }],
  ] as const)('is all of its fields: %s', (operation, input) => {
    expect(unattendedInput(operation, { ...input, purpose: ' ' })).toEqual(input)
  })

  test('is a text for each field, in whatever type it was given', () => {
    expect(unattendedInput('transfer', { ...payout, depositToCard: true })).toEqual({
      ...payout,
      depositToCard: 'true',
    })
  })

  test.each([
    ['a CVV', 'makeRebill', { ...rebill, cvv2: '123' }],
    ['a CVV', 'makeRebill', { ...rebill, cvv2: new Cvv('123') }],
    ['a card number', 'payout', { ...payout, cardNumber: new Pan('4111111111111111') }],
    ['a card number', 'transferByRef', { ...payout, destinationCardNumber: '4111111111111111' }],
    ['a card number in place of a reference', 'makeRebill', { ...rebill, cardRefId: '4111111111111111' }],
    ['a card number of 15 digits in place of a reference', 'makeRebill', { ...rebill, cardRefId: '378282246310005' }],
    ['a card number in a text', 'return', { ...order, comment: 'paid by 4111 1111 1111 1111' }],
    ['an account', 'payout', { ...payout, accountNumber: 'DE02120300000000202051' }],
    ['a name', 'payout', { ...payout, destinationCardRefId: '1', receiverLastName: 'Smith' }],
    ['an address', 'processRecurringPayment', { recurringPaymentId: '77', email: 'a@example.com' }],
    ['a browser', 'transfer', { ...payout, depositToCard: true, browserInfo: true }],
    ['undocumented fields', 'makeRebill', { ...rebill, extra: { card: '4111111111111111' } }],
    ['a value that does not fit', 'makeRebill', { ...rebill, amount: 10.42 }],
    ['a page for the customer', 'payoutForm', { ...payout, redirectUrl: 'https://shop.example.com/' }],
    ['no status to ask for', 'createCardRef', order],
  ] as const)('is nothing if it has %s: %s', (_what, operation, input) => {
    expect(unattendedInput(operation, input)).toBeUndefined()
  })
})

describe('The digest of a request', () => {
  const sale = { amount: '10.42', currency: 'USD', email: 'a@example.com', cardNumber: '4444555566661111', cvv2: '123' }

  test('is the same for another card, and for the same fields in another order', () => {
    const card = { cardNumber: new Pan('4444444444444448'), cvv2: new Cvv('321'), expireMonth: 1, expireYear: 2040 }
    const { amount, ...others } = sale
    expect(digestOf('sale', { ...others, ...card, amount })).toBe(digestOf('sale', sale))
  })

  test('[F-D6] is the same for amounts that are written otherwise, also in lists', () => {
    const digest = (fields: object) => digestOf('createRecurringPayment', { ...fields, currency: 'EUR' })
    expect(digestOf('sale', { ...sale, amount: '10.420' })).toBe(digestOf('sale', sale))
    expect(digest({ amountSequence: '1.50,2' })).toBe(digest({ amountSequence: '1.5,2.00' }))
    expect(digest({ amountFrom: '1', amountTo: '2.0' })).toBe(digest({ amountFrom: '1.00', amountTo: '2' }))
    expect(digest({ amountSequence: '1.5,2' })).not.toBe(digest({ amountSequence: '1.5,20' }))
  })

  test('is the same on another network and device', () => {
    const deviceFields = Object.keys(catalogue.sale.request.fields).filter((name) => name.startsWith('browser'))
    expect(deviceFields).toHaveLength(10)
    for (const field of [...deviceFields, 'customerIp', 'preferredLanguage'])
      expect(digestOf('sale', { ...sale, [field]: 'another' })).toBe(digestOf('sale', sale))
  })

  test('is the same on another site of the shop, and after the shop has moved', () => {
    const addresses = Object.keys(catalogue.sale.request.fields).filter((name) => name.endsWith('Url'))
    expect(addresses).toHaveLength(6)
    for (const field of addresses)
      expect(digestOf('sale', { ...sale, [field]: 'https://shop.example.org' })).toBe(digestOf('sale', sale))
  })

  test('is that of its fields sorted by name, without white space around the values, as sha256sum computes it', () => {
    // ["sale",[["amount","10.42"],["currency","USD"],["email","a@example.com"]]]
    const digest = '348e2f604365e5b4b3f25518b6fdcd5d4d53fed72b09393db60a75adfc9fb7b8'
    expect(digestOf('sale', sale)).toBe(digest)
    const loose = {
      email: ' a@example.com',
      login: 'x',
      orderDesc: undefined,
      currency: 'USD ',
      amount: ' 10.42',
    }
    expect(digestOf('sale', { ...loose, clientOrderId: 'made by the journal' })).toBe(digest)
  })

  test('[F-A10] is the same for an optional field that is empty, blank, null or undefined as without it', () => {
    for (const blank of ['', '  ', '\n', null, undefined]) {
      expect(digestOf('sale', { ...sale, cellPhone: blank, state: blank })).toBe(digestOf('sale', sale))
    }
  })

  test('is the same for fields in another order, and for amounts of a list with other decimals', () => {
    expect(digestOf('sale', Object.fromEntries(Object.entries(sale).toReversed()))).toBe(digestOf('sale', sale))
    const offered = (enumerateAmounts: string) => digestOf('makeRebill', { ...sale, enumerateAmounts })
    expect(offered('9.00, 8.5')).toBe(offered('9,8.50'))
    expect(offered('8.5,9')).not.toBe(offered('9,8.5'))
  })

  test('is the same however many decimals an amount is written with', () => {
    const of = (amount: string) => digestOf('sale', { ...sale, amount })
    expect([of('10.50'), of('10.500')]).toEqual([of('10.5'), of('10.5')])
    expect([of('10.00'), of('0.00')]).toEqual([of('10'), of('0')])
    expect(new Set(['100', '10', '1', '.1', '0.1', '1.01', '1.0.0'].map(of)).size).toBe(7)
  })

  test.each([['amount'], ['currency'], ['email']])('differs for another %s, and for another operation', (field) => {
    expect(digestOf('sale', { ...sale, [field]: 'x' })).not.toBe(digestOf('sale', sale))
    expect(digestOf('preauth', sale)).not.toBe(digestOf('sale', sale))
  })

  test('does not depend on a card number in another field', () => {
    const withNumber = (number: string) => digestOf('sale', { ...sale, orderDesc: `paid by ${number}` })
    // Both are card numbers with the same first six and last four digits.
    expect(withNumber('4444555566661111')).toBe(withNumber('4444551234001111'))
  })
})

describe('The money of a request', () => {
  test('is in minor units, with all amounts that are offered', () => {
    const ofRebill = (input: object) => moneyOf('makeRebill', { currency: 'USD', ...input }, 'always-2')
    expect(ofRebill({ amount: '10.5' })).toEqual({ amounts: ['1050'], currency: 'USD' })
    expect(ofRebill({ amount: '10', enumerateAmounts: '9.00,8' }).amounts).toEqual(['1000', '900', '800'])
    expect(ofRebill({ amount: 'much' }).amounts).toEqual([])
    expect(moneyOf('void', {}, 'always-2')).toEqual({ amounts: [], currency: undefined })
    expect(moneyOf('sale', { amount: ' 1042 ', currency: ' JPY ' }, 'iso-4217').amounts).toEqual(['1042'])
  })

  test('is never a card number that came into its fields by mistake', () => {
    const number = '4444555566661111'
    expect(moneyOf('sale', { amount: number, currency: 'USD' }, 'always-2').amounts).toEqual([])
    expect(moneyOf('sale', { amount: '10', currency: number }, 'always-2').currency).toBeUndefined()
    const enumerated = { amount: '10', enumerateAmounts: `9,${number}`, currency: 'USD' }
    expect(moneyOf('makeRebill', enumerated, 'always-2').amounts).toEqual(['1000'])
  })

  test.each([
    ['10.420', 'USD', 'always-2', '1042'],
    ['10.4', 'USD', 'always-2', '1040'],
    ['10', 'USD', 'always-2', '1000'],
    ['10.425', 'USD', 'always-2', undefined],
    ['500.00', 'JPY', 'iso-4217', '500'],
    ['1.234', 'KWD', 'iso-4217', '1234'],
    ['ten', 'USD', 'always-2', undefined],
  ] as const)('%s %s by %s is %s', (amount, currency, exponents, minor) => {
    expect(minorUnitsOf(amount, currency, exponents)).toBe(minor)
  })
})
