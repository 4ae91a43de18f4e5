import { describe, expect, test } from 'vitest'
import { callbackAddressIssue, holdsUser } from '../../src/http/allowed-address.ts'
import { FORBIDDEN, PUBLIC } from '../support/forbidden-addresses.ts'

const issueOf = (url: string) => callbackAddressIssue(url, { sandbox: false })
const inSandbox = (url: string) => callbackAddressIssue(url, { sandbox: true })
const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address)

describe('the address of a callback', () => {
  test.for([
    'https://shop.example.com/cb?shop=7',
    'http://shop.example.com',
    'HTTPS://SHOP.EXAMPLE.COM/cb#fragment',
    'https://bücher.example/cb',
    'https://shop.example.com./cb',
    'https://localhost/cb',
  ])('may be %s: what a name stands for is seen when it is called', (url) => {
    expect([issueOf(url), inSandbox(url)]).toEqual([undefined, undefined])
  })

  test.for([
    '',
    'shop.example.com',
    '/cb',
    'ftp://shop.example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://',
  ])('is http or https: not %s', (url) => {
    expect([issueOf(url), inSandbox(url)]).toEqual(['scheme', 'scheme'])
  })

  test.for([
    'http://user@shop.example.com',
    'https://user:secret@shop.example.com',
    'https://:secret@shop.example.com',
  ])('holds no user and no password: not %s', (url) => {
    expect([issueOf(url), inSandbox(url)]).toEqual(['userinfo', 'userinfo'])
  })

  test('[G6-04] must name port 80 or 8080 with http, 443 or 8443 with https', () => {
    const ports = [1, 22, 25, 79, 80, 81, 443, 444, 3000, 5432, 6379, 8000, 8080, 8443, 9200, 65_535]
    const allowed = (scheme: string) =>
      ports.filter((port) => issueOf(`${scheme}://shop.example.com:${port}/`) !== 'port')
    expect([allowed('http'), allowed('https')]).toEqual([
      [80, 8080],
      [443, 8443],
    ])
    expect(issueOf('http://shop.example.com:00080/')).toBeUndefined()
  })

  test('may name any port in a sandbox', () => {
    expect(inSandbox('http://127.0.0.1:3000/cb')).toBeUndefined()
    expect(inSandbox('https://shop.example.com:9000/cb')).toBeUndefined()
    expect(inSandbox('https://shop.example.com:65536/cb')).toBe('scheme')
  })
})

describe('an address with an IP address for a host', () => {
  test.for(FORBIDDEN)('is refused when that is not public: %s', ([, ...addresses]) => {
    expect(addresses.map((address) => issueOf(`http://${hostOf(address)}/`))).toEqual(addresses.map(() => 'host'))
  })

  test('is allowed when that is public', () => {
    expect(PUBLIC.map((address) => issueOf(`https://${hostOf(address)}/`))).toEqual(PUBLIC.map(() => undefined))
  })

  test('may be this machine in a sandbox, but no other address that is not public', () => {
    const allowed = FORBIDDEN.flatMap(([, ...addresses]) => addresses).filter(
      (address) => inSandbox(`http://${hostOf(address)}:3000/`) === undefined,
    )
    expect(allowed).toEqual(['127.0.0.1', '127.255.255.254', '::1'])
  })

  test.for([
    ['decimal', 'http://2130706433/'],
    ['octal', 'http://0177.0.0.1/'],
    ['octal, long', 'http://00000177.00.00.01/'],
    ['hex', 'http://0x7f000001/'],
    ['hex in parts', 'http://0x7f.0x0.0x0.0x1/'],
    ['mixed', 'http://0x7f.1/'],
    ['short', 'http://127.1/'],
    ['nothing', 'http://0/'],
    ['metadata in decimal', 'http://2852039166/'],
    ['metadata in octal', 'http://0251.0376.0251.0376/'],
    ['metadata in hex', 'http://0xa9fea9fe/'],
    ['a trailing dot', 'http://127.0.0.1./'],
    ['decimal with a trailing dot', 'http://2130706433./'],
    ['full-width digits', 'http://１２７.０.０.１/'],
    ['circled digits', 'http://①②⑦.⓪.⓪.①/'],
    ['ideographic full stops', 'http://127。0。0。1/'],
    ['percent-encoded', 'http://%31%32%37.0.0.1/'],
    ['a backslash', 'http:\\\\127.0.0.1\\cb'],
    ['white space around', ' \thttp://127.0.0.1/ '],
    ['a line feed within', 'http://127.0.\n0.1/'],
    ['no slashes', 'http:127.0.0.1/'],
    ['an empty user', 'http://@127.0.0.1/'],
    ['the default port', 'http://127.0.0.1:80/'],
    ['long IPv6', 'http://[0:0:0:0:0:0:0:1]/'],
    ['IPv4-mapped', 'http://[::ffff:7f00:1]/'],
  ] as const)('is known in every spelling: %s', ([, url]) => {
    expect(issueOf(url)).toBe('host')
  })

  test.for([
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://[::1]evil/',
    'http://[v1.x]/',
    'http://1.2.3.256/',
  ])('is none when it is malformed: %s', (url) => {
    expect([issueOf(url), inSandbox(url)]).toEqual(['scheme', 'scheme'])
  })
})

test('whether an address holds a user name or a password', () => {
  const held = ['https://u@shop.example.com/', 'https://u:p@shop.example.com/', 'https://:p@shop.example.com/']
  expect(held.map(holdsUser)).toEqual([true, true, true])
  const free = ['https://shop.example.com/?a=u:p@b', 'https://@shop.example.com/', 'https://shop.example.com/@u', 'no']
  expect(free.map(holdsUser)).toEqual([false, false, false, false])
})
