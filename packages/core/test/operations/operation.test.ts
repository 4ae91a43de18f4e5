import { describe, expect, onTestFinished, test } from 'vitest'
import { catalogue } from '../../src/index.ts'
import { fieldsOf } from '../../src/internal.ts'

const order = { clientOrderId: 'A1', orderId: '6768788' }

describe('The fields of an input', () => {
  test('are those of an object, whatever they are', () => {
    expect(fieldsOf(catalogue.return, { ...order, ammount: '1.00' })).toEqual({ ...order, ammount: '1.00' })
    expect(fieldsOf(catalogue.return, Object.assign(Object.create(null), order))).toEqual(order)
  })

  test('are also those inherited from a class or another object', () => {
    class Part {
      readonly clientOrderId = 'A1'
      readonly orderId = '6768788'
      get amount() {
        return '10.42'
      }
      get extra() {
        return { purpose: 'part' }
      }
      get total() {
        return '20.00'
      }
    }
    expect(fieldsOf(catalogue.return, new Part())).toEqual({
      ...order,
      amount: '10.42',
      extra: { purpose: 'part' },
    })
    expect(fieldsOf(catalogue.return, Object.create({ ...order, currency: 'EUR' }))).toEqual({
      ...order,
      currency: 'EUR',
    })
  })

  test('are not what was added to the prototype of all objects', () => {
    Object.defineProperty(Object.prototype, 'amount', { value: '0.01', configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(Object.prototype, 'amount'))
    expect(Object.keys(fieldsOf(catalogue.return, Object.create(order)))).toEqual(['clientOrderId', 'orderId'])
  })

  test.each([undefined, null, 7, 'A1', [order]])('are none of what is no object: %j', (input) => {
    expect(fieldsOf(catalogue.return, input)).toEqual({})
  })
})
