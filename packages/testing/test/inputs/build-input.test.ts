import { catalogue, defineProfile, type OperationKey, operationKeys, parseRequest } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { buildInput, saleInput } from '../../src/index.ts'

const profile = defineProfile({ baseUrl: 'https://gateway.test/paynet', recurringExtensions: true })

/** What is wrong with a request; nothing if it is valid. The client adds the login. */
function issuesOf(key: OperationKey, input: object): readonly string[] {
  const login = 'login' in catalogue[key].request.fields ? { login: 'test-merchant' } : {}
  const parsed = parseRequest(key, { ...input, ...login }, profile)
  return parsed.ok ? [] : parsed.issues.map(({ field, problem }) => `${field} ${problem}`)
}

test.for(operationKeys)('the input of %s is a valid request, under a new id each time', (key) => {
  const [one, other] = [buildInput(key), buildInput(key)]
  expect(issuesOf(key, one)).toEqual([])
  if (!('clientOrderId' in one)) return
  expect(one).toMatchObject({ clientOrderId: expect.stringMatching(/^[a-z].{24}[a-z]$/) })
  expect(one).not.toMatchObject({ clientOrderId: (other as { clientOrderId: string }).clientOrderId })
})

describe('a change of a request', () => {
  test('replaces the default', () => {
    expect(saleInput({ amount: '7.00' })).toMatchObject({ amount: '7.00', currency: 'USD' })
  })

  test('leaves out what is undefined', () => {
    expect(saleInput({ firstName: undefined })).not.toHaveProperty('firstName')
  })

  test.each([
    ['sale', buildInput('sale', { cardRefId: '1326586' }), 'cardNumber'],
    ['preauth', buildInput('preauth', { cardRecurringPaymentId: '1326586' }), 'cvv2'],
    ['payout', buildInput('payout', { accountNumber: '40702810500000012345' }), 'cardNumber'],
    ['payoutCheck', buildInput('payoutCheck', { destinationWallet: 'w-1' }), 'expireYear'],
    ['payout', buildInput('payout', { destinationCardRefId: '1326586' }), 'cardPrintedName'],
    ['transfer', buildInput('transfer', { depositToCard: true }), 'cardNumber'],
    ['transfer', buildInput('transfer', { destinationCardRefId: '1326586' }), 'destinationCardNumber'],
    [
      'transferByRef',
      buildInput('transferByRef', { destinationCardNumber: '4444333322221111' }),
      'destinationCardRefId',
    ],
    [
      'createRecurringPayment',
      buildInput('createRecurringPayment', { amountFrom: '1.00', amountTo: '5.00' }),
      'amount',
    ],
    ['createRecurringPayment', buildInput('createRecurringPayment', { amountSequence: '1.00,2.00' }), 'amount'],
  ] as const)('of %s leaves out what it replaces: %#', (key, input, replaced) => {
    expect(input).not.toHaveProperty(replaced)
    expect(issuesOf(key, input)).toEqual([])
  })

  test('is refused if there is no such field, naming it', () => {
    const changes = { amout: '7.00' } as Parameters<typeof saleInput>[0]
    expect(() => saleInput(changes)).toThrow("buildInput('sale'): there is no field amout; did you mean amount?")
    expect(saleInput({ extra: { brand_field: '1' } })).toHaveProperty('extra')
  })

  test('may be wrong on purpose', () => {
    const both = saleInput({ cardRefId: '1326586', cardNumber: '4444555566661111' })
    expect(issuesOf('sale', both)).toEqual(['cardRefId excludes cardNumber'])
    expect(issuesOf('sale', saleInput({ currency: 'usd' }))).toEqual([
      'currency must be three capital letters (ISO 4217), such as "EUR"',
    ])
  })

  test('to the same way keeps the rest of it', () => {
    expect(buildInput('transfer', { cvv2: '321' })).toMatchObject({ cvv2: '321', cardNumber: '4444555566661111' })
    expect(buildInput('payout', { cardNumber: undefined, receiverPhone: '+79001234567' })).not.toHaveProperty(
      'cardNumber',
    )
    expect(buildInput('payoutCheck', { receiverPhone: '+79001234567' })).toHaveProperty('cardNumber')
  })
})
