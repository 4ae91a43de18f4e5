import { expect, test } from 'vitest'
import { beginningFor, noBeginnings } from '../../src/oauth/request-beginnings.ts'
import { catchSigningError } from '../catch-signing-error.ts'

const uri = 'https://gate.example.com/paynet/api/v2/payout/1'

function textFor(beginnings = noBeginnings(), httpMethod = 'POST', url = uri): string {
  const beginning = beginningFor(beginnings, httpMethod, url)
  return beginning.ok ? Buffer.from(beginning.bytes).toString() : beginning.reason
}

test('[S5.2-24] a base string begins with the method in upper case and the encoded URL', () => {
  expect(textFor(noBeginnings(), 'post')).toBe('POST&https%3A%2F%2Fgate.example.com%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F1&')
})

test('a beginning is made once for a method and a URL', () => {
  const beginnings = noBeginnings()
  const made = beginningFor(beginnings, 'POST', uri)
  expect(beginningFor(beginnings, 'POST', uri)).toBe(made)
  expect(textFor(beginnings, 'PUT')).toMatch(/^PUT&/)
  expect(textFor(beginnings, 'POST', `${uri}2`)).toMatch(/12&$/)
  expect(beginnings.made).toHaveLength(3)
})

test('the newest beginning replaces the oldest', () => {
  const beginnings = noBeginnings()
  for (let at = 0; at < 17; at++) textFor(beginnings, 'POST', `${uri}${at}`)
  expect(beginnings.made).toHaveLength(16)
  expect(beginnings.made[0]?.url).toBe(`${uri}16`)
})

test('a query is returned beside the beginning, and is not stored', () => {
  const beginnings = noBeginnings()
  expect(beginningFor(beginnings, 'POST', `${uri}?card=4111111111111111`)).toMatchObject({
    query: [['card', '4111111111111111']],
  })
  expect(textFor(beginnings, 'POST', `${uri}?card=4111111111111111`)).toBe(textFor())
  expect(beginnings.made).toHaveLength(0)
})

test('a fragment is not stored', () => {
  const beginnings = noBeginnings()
  expect(textFor(beginnings, 'POST', `${uri}#card`)).toBe(textFor())
  expect(beginnings.made).toHaveLength(0)
})

test('a URL that cannot be signed is refused, and not stored', () => {
  const beginnings = noBeginnings()
  for (const url of ['', 'ftp://a.example/', 1 as unknown as string]) {
    expect(beginningFor(beginnings, 'POST', url)).toMatchObject({ ok: false, reason: 'malformed-url' })
  }
  expect(beginnings.made).toHaveLength(0)
})

test('anything but an HTTP method is refused', () => {
  for (const httpMethod of ['', 'PO ST', 1 as unknown as string]) {
    expect(catchSigningError(() => textFor(noBeginnings(), httpMethod)).code).toBe('BAD_ARGUMENT')
  }
})
