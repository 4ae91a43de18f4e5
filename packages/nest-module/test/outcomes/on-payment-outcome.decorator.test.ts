import { Injectable } from '@nestjs/common'
import type { PaymentOutcome } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { OnPaymentOutcome } from '../../src/index.ts'
import type { OutcomeFilter } from '../../src/outcomes/on-payment-outcome.decorator.ts'
import { factsOf, filtersOf, passes } from '../../src/outcomes/on-payment-outcome.decorator.ts'

/** A class with one method with this filter. */
function listener(filter: object) {
  @Injectable()
  class Shipping {
    @OnPaymentOutcome(filter as OutcomeFilter)
    ship() {}
  }
  return Shipping
}

const reply = { status: 'declined', transactionType: 'Reversal' } as PaymentOutcome['reply']
const ids = { clientOrderId: 'inv-77-a', orderId: '123456789012345' }
const change = { transactionType: 'reversal', status: 'declined' } as const
const DECLINED_RETURN: PaymentOutcome = { ...ids, status: 'approved', change, reply }
const DECLINED_SALE: PaymentOutcome = {
  ...ids,
  status: 'declined',
  reply: { ...reply, transactionType: 'sale' },
}

const hears = (filter: OutcomeFilter, outcome: PaymentOutcome) =>
  filtersOf(listener(filter).prototype, 'ship').some((one) => passes(one, factsOf({ instance: 'eu', outcome })))

test.for<readonly [OutcomeFilter, boolean, boolean]>([
  [{}, false, true],
  [{ status: 'approved' }, false, false],
  [{ status: 'declined' }, false, true],
  [{ kind: 'notice' }, true, false],
  [{ kind: 'notice', status: 'approved' }, false, false],
  [{ kind: 'notice', status: ['approved', 'declined'] }, true, false],
  [{ instance: 'us' }, false, false],
  [{ operation: 'sale' }, false, false],
])('without a journal %j matches a declined return: %s, a declined sale: %s', ([filter, ofReturn, ofSale]) => {
  expect([hears(filter, DECLINED_RETURN), hears(filter, DECLINED_SALE)]).toEqual([ofReturn, ofSale])
})

describe('the decorator refuses', () => {
  const message = (what: string) => new RegExp(`@OnPaymentOutcome is for methods of instances; ${what} is none`)

  test('a property, an accessor, a static method and a class', () => {
    const decorate = OnPaymentOutcome('approved')
    class Shop {
      get open() {
        return true
      }
      static open() {}
    }
    const accessor = Object.getOwnPropertyDescriptor(Shop.prototype, 'open') ?? expect.fail()
    const method = Object.getOwnPropertyDescriptor(Shop, 'open') ?? expect.fail()
    expect(() => Reflect.apply(decorate, undefined, [Shop.prototype, 'onApproved'])).toThrow(message('Shop.onApproved'))
    expect(() => decorate(Shop.prototype, 'open', accessor)).toThrow(message('Shop.open'))
    expect(() => decorate(Shop, 'open', method)).toThrow(message('Shop.open'))
    expect(() => Reflect.apply(decorate, undefined, [Shop])).toThrow(message('Shop.undefined'))
  })
})

describe('the decorator refuses with the name of the method', () => {
  test.each<readonly [string, unknown, string]>([
    ['a filter that there is not', { statuses: 'approved' }, 'there is no option statuses; did you mean status?'],
    [
      'nothing like a filter',
      { amount: '1.00' },
      'there is no option amount; there are status, operation, kind, instance',
    ],
    ['a number', { status: 200 }, 'status must be a text or a list of texts'],
    ['a list with a number', { instance: ['eu', 7] }, 'instance must be a text or a list of texts'],
    ['two kinds', { kind: ['outcome', 'notice'] }, 'kind must be a text'],
    ['a list in place of a filter', ['approved'], 'the options must be an object'],
    ['null', null, 'the options must be an object'],
  ])('%s', (_name, filter, message) => {
    expect(() => listener(filter as object)).toThrow(`@OnPaymentOutcome of Shipping.ship: ${message}`)
    expect(() => listener(filter as object)).toThrow(TypeError)
  })
})
