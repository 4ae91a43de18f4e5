import { expect, test } from 'vitest'
import { AddressNotAllowedError } from '../../src/addresses/address-not-allowed.ts'
import { noAnswer } from '../../src/callbacks/send-callback.ts'

test.for([
  [new AddressNotAllowedError('host'), 'address not allowed'],
  [Object.assign(new Error('connect ECONNREFUSED 203.0.113.7:443'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [Object.assign(new Error('https://shop.example.com/?name=Ann'), { code: 'https://shop.example.com' }), 'no answer'],
  [Object.assign(new Error('x'), { code: 23 }), 'no answer'],
  [new Error('https://shop.example.com/cb?name=Ann'), 'no answer'],
  ['https://shop.example.com/cb?name=Ann', 'no answer'],
  [undefined, 'no answer'],
] as const)('of %s the reason is kept, and never the address', ([error, reason]) => {
  expect(noAnswer(error)).toEqual({ reason })
})
