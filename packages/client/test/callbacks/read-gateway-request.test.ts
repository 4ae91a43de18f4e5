import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readGatewayRequest } from '../../src/index.ts'

const form = 'client_orderid=inv-a&amount=10.42'

/** A request as `node:http` gives it. */
function request(given: object, ...chunks: readonly string[]) {
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), { headers: {} }, given)
}

async function read(body: unknown) {
  const whole = request({ method: 'POST', url: '/sale/253', body }, form)
  for await (const _chunk of whole);
  return await readGatewayRequest(whole)
}

describe('A request to a gateway is converted', () => {
  test('with its whole address, its body, its headers and where it comes from, and repeated headers are kept apart', async () => {
    const given = {
      method: 'POST',
      originalUrl: '/paynet/api/v2/sale/253?a=b',
      url: '/253?a=b',
      ip: '203.0.113.7',
      headers: { accept: 'a, b' },
      headersDistinct: { accept: ['a', 'b'], 'content-type': ['text/plain'], gone: undefined },
    }
    expect(await readGatewayRequest(request(given, 'client_orderid=inv-a', '&amount=10.42'))).toEqual({
      method: 'POST',
      url: '/paynet/api/v2/sale/253?a=b',
      headers: { accept: ['a', 'b'], 'content-type': 'text/plain', gone: undefined },
      body: form,
      peer: '203.0.113.7',
    })
  })

  test('without what a server does not provide', async () => {
    expect(await readGatewayRequest(request({ headers: { accept: 'a' } }))).toEqual({
      method: '',
      url: '',
      headers: { accept: 'a' },
      body: '',
    })
  })

  test.each<readonly [what: string, body: unknown, text: string]>([
    ['a text', form, form],
    ['bytes', Buffer.from(form), form],
    ['an object', { client_orderid: 'inv-a', amount: '10.42' }, form],
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['a list under a name that came twice', { a: ['1', '2'] }, 'a=1&a=2'],
    ['an object under a name with brackets', { a: { b: 'x', c: { d: 'y' } } }, 'a%5Bb%5D=x&a%5Bc%5D%5Bd%5D=y'],
    ['what is no text', { a: 1, b: null, c: true }, 'a=1&b=&c=true'],
    ['characters that a form has to escape', { name: 'Jürgen & Co' }, 'name=J%C3%BCrgen%20%26%20Co'],
    ['half a character', { '\ud800': '\udfff' }, '%EF%BF%BD=%EF%BF%BD'],
  ])('if a parser has made %s of the form', async (_what, body, text) => {
    expect(await read(body)).toMatchObject({ body: text })
  })
})
