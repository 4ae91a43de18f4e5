import { expect, test } from 'vitest'
import { noAnswer } from '../../src/callbacks/callback-answer.ts'
import { AddressNotAllowedError } from '../../src/http/allowed-address.ts'

test.for([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /^DEPTH_ZERO_SELF_SIGNED_CERT: no authority .* NODE_EXTRA_CA_CERTS/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /incomplete chain, or NODE_EXTRA_CA_CERTS/],
  ['CERT_HAS_EXPIRED', /has expired, or the clock of this machine is wrong$/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /of another host name$/],
] as const)("[F-C8] of a shop's certificate the reason %s is kept, with what it means", ([code, reason]) => {
  expect(noAnswer(Object.assign(new Error('https://shop.example.com/?name=Ann'), { code })).reason).toMatch(reason)
})

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
