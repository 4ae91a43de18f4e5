import { expect, test } from 'vitest'
import { isFromHere } from '../../src/http/server.ts'

test.for([
  ['127.0.0.1', '127.0.0.1', true],
  ['::1', '::1', true],
  ['10.0.0.5', '10.0.0.5', true],
  ['10.0.0.9', '10.0.0.5', false],
  ['172.17.0.1', '172.17.0.2', false],
  [undefined, undefined, false],
] as const)('what %s asks of %s comes from the machine itself: %s', ([remoteAddress, localAddress, expected]) => {
  expect(isFromHere({ remoteAddress, localAddress })).toBe(expected)
})
