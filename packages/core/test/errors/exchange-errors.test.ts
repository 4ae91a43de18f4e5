import { inspect } from 'node:util'
import {
  AuthRejectedError,
  GatewayError,
  InvalidInputError,
  isPaymentError,
  MalformedFormError,
  NoReplyError,
  NotSentError,
  PaymentError,
  type PaymentErrorCode,
  RejectedError,
} from '@tallystick/core'
import { describeIssue, GATEWAY_CODES, type Retry } from '@tallystick/core/internal'
import { describe, expect, test, vi } from 'vitest'

const evidence = {
  operation: 'SALE',
  clientOrderId: 'inv-1',
  seen: 'HTTP 502 with text/html',
  httpStatus: 502,
}
const answer = { errorMessage: 'Declined', errorCode: '1', serialNumber: '00000000-0000-0000-0000-000002d9b22a' }
const issue = {
  field: 'expireMonth',
  wireName: 'expire_month',
  problem: 'must be a whole number from 1 to 12',
  remedy: 'Send the month that is printed on the card, such as "04".',
}

const cases: ReadonlyArray<readonly [code: PaymentErrorCode, retry: Retry, name: string, PaymentError]> = [
  ['INVALID_INPUT', 'never', 'InvalidInputError', new InvalidInputError('SALE', [issue])],
  ['MALFORMED_FORM', 'never', 'MalformedFormError', new MalformedFormError('too-large', 'Too large; send less.')],
  ['NOT_SENT', 'safe', 'NotSentError', new NotSentError(evidence)],
  ['NO_REPLY', 'after-status', 'NoReplyError', new NoReplyError(evidence)],
  ['REJECTED', 'never', 'RejectedError', new RejectedError(evidence, answer)],
  ['AUTH_REJECTED', 'never', 'AuthRejectedError', new AuthRejectedError(evidence, answer)],
  ['GATEWAY_ERROR', 'after-status', 'GatewayError', new GatewayError(evidence, answer)],
]

describe.each(cases)('%s', (code, retry, name, error) => {
  test('has its code, its retry and its name', () => {
    expect([error.code, error.retry, error.name]).toEqual([code, retry, name])
    expect(error).toBeInstanceOf(PaymentError)
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).toMatch(new RegExp(`^${name}: `))
  })

  test('ends with a remedy', () => {
    expect(error.message).toMatch(/[.]$/)
  })

  test('has no place for a body', () => {
    expect(Object.keys(error).filter((key) => /body|request|input|pairs|values/i.test(key))).toEqual([])
  })
})

test('[G9-02] an answer keeps its message, its code and the serial number for support', () => {
  const error = new RejectedError(evidence, answer)
  expect([error.errorMessage, error.errorCode, error.serialNumber]).toEqual(Object.values(answer))
})

test('an exchange error says what was seen, of which operation and order', () => {
  const error = new NoReplyError(evidence)
  expect(error.message).toBe(
    'SALE: HTTP 502 with text/html. It may have taken effect: ask for its status, never send it again.',
  )
  const { operation, clientOrderId, seen, httpStatus } = error
  expect({ operation, clientOrderId, seen, httpStatus }).toEqual(evidence)
})

test('an exchange error names the other order that the gateway has under the id', () => {
  expect(new NoReplyError(evidence).otherOrderId).toBeUndefined()
  expect(new NoReplyError({ ...evidence, otherOrderId: '6768788' }).otherOrderId).toBe('6768788')
})

test('an answer without details has none', () => {
  const { errorMessage, errorCode, serialNumber } = new GatewayError(evidence, {})
  expect([errorMessage, errorCode, serialNumber]).toEqual([undefined, undefined, undefined])
})

test('a card number that the other side quotes is masked in the message and in every field', () => {
  const quoted = { errorMessage: 'No card 4444555566661111', errorCode: '4444 5555 6666 1111' }
  const error = new RejectedError({ ...evidence, seen: 'refused: "4444-5555-6666-1111"' }, quoted)
  expect(inspect(error, { showHidden: true })).not.toMatch(/4444.?5555.?6666.?1111/)
  expect([error.errorMessage, error.seen]).toEqual(['No card 444455******1111', 'refused: "444455******1111"'])
})

test('a long text of the other side is cut, and no part of a card number stays at the cut', () => {
  const long = `${'x'.repeat(1990)} 4444 5555 6666 1111 ${'y'.repeat(100_000)}`
  const { errorMessage = '' } = new GatewayError(evidence, { errorMessage: long })
  expect(errorMessage).toBe(`${'x'.repeat(1990)}...`)
})

test.each([
  ['an escaped text', encodeURIComponent('Оплата заказа номер семнадцать ').repeat(12)],
  ['escapes that could be read in several ways', '%12'.repeat(1000)],
  ['digits alone', '1'.repeat(100_000)],
])('a long text is cut in no time where it is %s', (_what, errorMessage) => {
  const error = new RejectedError(evidence, { errorMessage })
  expect(error.errorMessage).toMatch(/\.\.\.$/)
  expect(error.errorMessage?.length).toBeLessThanOrEqual(2003)
})

test('[G13-05] the codes of our gateway are a table, each once', () => {
  expect(Object.values(GATEWAY_CODES).every((code) => /^\d+$/.test(code))).toBe(true)
  expect(new Set(Object.values(GATEWAY_CODES)).size).toBe(Object.keys(GATEWAY_CODES).length)
})

test('a wrong field is described by both its names, its bound and the remedy', () => {
  const sentence =
    'expireMonth (expire_month) must be a whole number from 1 to 12. Send the month that is printed on the card, such as "04".'
  expect(describeIssue(issue)).toBe(sentence)
  expect(new InvalidInputError('SALE', [issue]).message).toBe(
    `SALE: the request does not fit its model.\n  ${sentence}`,
  )
})

test('a field with one name is named once', () => {
  const currency = { field: 'currency', wireName: 'currency', problem: 'is required', remedy: 'Supply it.' }
  const { message } = new InvalidInputError('SALE', [currency])
  expect(message).toBe('SALE: the request does not fit its model.\n  currency is required. Supply it.')
})

test('an inspected error shows its fields', () => {
  expect(inspect(new RejectedError(evidence, answer))).toContain("errorMessage: 'Declined'")
})

describe('a gateway that quotes the form', () => {
  const form = 'credit_card_number=4444555566661111&cvv2=7391&control=f493a1b2'
  const told = { errorMessage: `Bad request: ${form}`, errorCode: form, serialNumber: form }

  test('reveals no CVV and no control in any field of the error', () => {
    const error = new RejectedError({ ...evidence, seen: `refused: "${form}"` }, told)
    expect(inspect(error, { showHidden: true })).not.toMatch(/7391|f493|5555/)
    expect(error.errorMessage).toBe('Bad request: credit_card_number=444455******1111&cvv2=***&control=***')
  })

  test.each(['12345678901234567', 'a_b.c:d-9', evidence.clientOrderId])(
    'keeps the serial number %s, which looks like one',
    (serialNumber) => {
      expect(new GatewayError(evidence, { serialNumber }).serialNumber).toBe(serialNumber)
    },
  )

  test.each(['4444 / 5555 / 6666 / 1111', '4444%205555%206666%201111', '%34%34%34%34%35%35%35%35%36%36%36%36'])(
    'leaves out a number that is cut, whatever separates its digits: %s',
    (number) => {
      const errorMessage = `${'x'.repeat(1988)}${number}`
      expect(new RejectedError(evidence, { errorMessage }).errorMessage).toBe(`${'x'.repeat(1988)}...`)
    },
  )
})

test('Errors of another copy of the package are also recognized', async () => {
  vi.resetModules()
  const another = await import('@tallystick/core')
  const thrown: unknown = new another.RejectedError(evidence, answer)
  expect(thrown).not.toBeInstanceOf(PaymentError)
  expect(isPaymentError(thrown) && thrown.code === 'REJECTED' && thrown.errorMessage).toBe('Declined')
  const others = [undefined, null, 'REJECTED', new Error('no'), Object.assign(new Error('no'), { code: 'ENOENT' })]
  expect(others.filter(isPaymentError)).toEqual([])
})

const ofStatus = { operation: 'STATUS', clientOrderId: 'inv-1', seen: 'HTTP 502', httpStatus: 502, isRead: true }
const noSuchOrder = { errorMessage: 'No such order', errorCode: '1', serialNumber: undefined }

describe('the error of a read', () => {
  test.for([new NoReplyError(ofStatus), new GatewayError(ofStatus, noSuchOrder)])(
    '$name says to ask again',
    (error) => {
      expect(error.retry).toBe('safe')
      expect(error.message).toBe('STATUS: HTTP 502. Nothing was changed by asking: ask again.')
    },
  )

  test('RejectedError does not say that nothing was created', () => {
    const error = new RejectedError(ofStatus, noSuchOrder)
    expect(error.retry).toBe('never')
    expect(error.message).toBe('STATUS: HTTP 502. Fix the request as the gateway says.')
  })

  test('has the known cause instead of the usual remedy', () => {
    const remedy = 'Ask again later, or check the id.'
    const error = new RejectedError({ ...ofStatus, remedy }, noSuchOrder)
    expect(error.remedy).toBe(remedy)
    expect(error.message).toBe('STATUS: HTTP 502. Ask again later, or check the id.')
  })
})
