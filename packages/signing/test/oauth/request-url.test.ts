import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnyUrl, readRequestUrl } from '../../src/oauth/request-url.ts'

test('readRequestUrl, which has a fast path, reads any URL as readAnyUrl does', () => {
  const origin = fc.constantFrom(
    'https://a.example',
    'http://a-b.example',
    'https://A.example',
    'HTTPS://a',
    'ftp://a',
    '//a',
  )
  const rest = fc.constantFrom(
    '',
    '/',
    '/..',
    '//',
    ':80',
    ':443',
    ':',
    '?',
    '?a=1',
    '#x',
    '%41',
    '%',
    'é',
    ' ',
    '\n',
    '@',
    'x.y~z',
    '!',
  )
  fc.assert(
    fc.property(origin, fc.array(rest, { maxLength: 4 }), (start, pieces) => {
      const url = start + pieces.join('')
      expect(readRequestUrl(url)).toEqual(readAnyUrl(url))
    }),
    { numRuns: 2000 },
  )
})
