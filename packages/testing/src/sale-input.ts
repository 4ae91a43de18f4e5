import { randomUUID } from 'node:crypto'
import type { RequestInput } from '@tallystick/core'
import { cards } from './cards.ts'

/** A sale that is valid and approved, under a new client order id. Name only what your test is about. */
export function saleInput(changes: Partial<RequestInput<'sale'>> = {}): RequestInput<'sale'> {
  return {
    clientOrderId: testOrderId(),
    orderDesc: 'Test order',
    firstName: 'John',
    lastName: 'Smith',
    address1: '100 Main st',
    city: 'Seattle',
    state: 'WA',
    zipCode: '98102',
    country: 'US',
    phone: '+12063582043',
    email: 'john.smith@example.com',
    customerIp: '192.0.2.1',
    amount: '10.42',
    currency: 'USD',
    ...cards.approved,
    ...changes,
  }
}

/** An id that begins and ends with a letter, so that no border of a control string can shift. */
function testOrderId(): string {
  return `t${randomUUID().replaceAll('-', '').slice(0, 24)}z`
}
