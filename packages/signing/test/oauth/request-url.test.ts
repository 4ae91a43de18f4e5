import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseStringUri } from '../../src/index.ts'
import { readAnyUrl, readRequestUrl } from '../../src/oauth/request-url.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { oauthVectors } from '../vectors.ts'

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

describe('baseStringUri', () => {
  test.for([
    ['http://EXAMPLE.COM:80/r%20v/X?id=123', 'http://example.com/r%20v/X'],
    ['https://www.example.net:8080/?q=1', 'https://www.example.net:8080/'],
  ] as const)('[S5.2-24] [G7.2-04] follows the example %s of RFC 5849 section 3.4.1.2', ([url, expected]) => {
    expect(baseStringUri(url)).toBe(expected)
  })

  test.for(oauthVectors)('[S5.2-24] normalises the URL of vector $id', ({ requestUrl, normalizedUrl }) => {
    expect(baseStringUri(requestUrl)).toBe(normalizedUrl)
  })

  test.for([
    ['HTTPS://Gate.Example.COM/Path', 'https://gate.example.com/Path'],
    ['https://a.example:443/x', 'https://a.example/x'],
    ['http://a.example:443/x', 'http://a.example:443/x'],
    ['https://a.example:80/x', 'https://a.example:80/x'],
    ['https://a.example:/x', 'https://a.example/x'],
    ['https://a.example:08443/x', 'https://a.example:8443/x'],
    ['http://127.0.0.1:3000/x', 'http://127.0.0.1:3000/x'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['http://[2001:DB8::1]/x', 'http://[2001:db8::1]/x'],
    ['http://localhost', 'http://localhost/'],
    ['http://localhost?a=1', 'http://localhost/'],
    ['http://localhost#top', 'http://localhost/'],
    ['http://a.example/x?', 'http://a.example/x'],
    ['http://a.example/x#part?no=query', 'http://a.example/x'],
    ['http://a.example/x?a=1#part', 'http://a.example/x'],
  ] as const)('[S5.2-24] [G7.2-04] makes %s into %s', ([url, expected]) => {
    expect(baseStringUri(url)).toBe(expected)
  })

  test.for([
    '/a/../b',
    '/a/./b',
    '//a//b/',
    '/%7Euser',
    '/~user',
    '/%2e%2E/',
    '/%41',
    "/a!$&'()*+,;=:@b",
    '/a%2Fb',
    '/%e9',
  ])('[S5.2-24] keeps the path %s as it is sent', (path) => {
    expect(baseStringUri(`https://a.example${path}`)).toBe(`https://a.example${path}`)
  })

  test.for([
    ['', /absolute/],
    ['/api/v2/payout/1', /absolute/],
    ['//a.example/x', /absolute/],
    ['a.example/x', /absolute/],
    ['mailto:a@b.example', /absolute/],
    ['ftp://a.example/x', /scheme/],
    ['ws://a.example/x', /scheme/],
    ['https:///x', /host/],
    ['https://user@a.example/x', /user information/],
    ['https://user:password@a.example/x', /user information/],
    ['https://@a.example/x', /user information/],
    ['https://bücher.example/x', /host/],
    ['https://a b/x', /host/],
    ['https://a%2eexample/x', /host/],
    ['https://[::1/x', /host/],
    ['https://a.example:port/x', /host/],
    ['https://a.example:-1/x', /host/],
    ['https://a.example:0/x', /port/],
    ['https://a.example:65536/x', /port/],
    ['https://a.example:99999999999999999999/x', /port/],
    ['https://a.example/é', /path/],
    ['https://a.example/a b', /path/],
    ['https://a.example/a\nb', /path/],
    ['https://a.example/%zz', /path/],
    ['https://a.example/%4', /path/],
    ['https://a.example/a\\b', /path/],
    ['https://a.example/a"b', /path/],
    ['https://a.example/x?a=%zz', /query/],
    ['https://a.example/x?a=%FF', /query/],
    ['https://a.example/x?a=é', /query/],
    [' https://a.example/x', /absolute/],
    ['https://a.example/x#a\nb', /absolute/],
  ] as const)('refuses %j', ([url, message]) => {
    const error = catchSigningError(() => baseStringUri(url))
    expect(error.code).toBe('BAD_URL')
    expect(error.message).toMatch(message)
  })

  test('refuses a URL object, whose path may differ from the one that is sent', () => {
    const url = new URL('https://a.example/x') as unknown as string
    expect(catchSigningError(() => baseStringUri(url)).code).toBe('BAD_URL')
  })

  test('accepts the highest and the lowest port', () => {
    expect(baseStringUri('https://a.example:65535/')).toBe('https://a.example:65535/')
    expect(baseStringUri('https://a.example:1/')).toBe('https://a.example:1/')
  })
})
