import { describe, expect, test } from 'vitest'
import type { GatewayRequest } from '../../src/index.ts'
import { form, post, SALE, sale, status } from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'
import { redirected } from '../support/three-ds.ts'

/** The values of the form as they arrive, with their line feeds. */
function rawPairs(body: string): ReadonlyMap<string, string> {
  return new Map(
    body.split('&').map((pair) => [pair.split('=')[0] ?? '', decodeURIComponent(pair.split('=')[1] ?? '')]),
  )
}

function without({ headers, ...request }: GatewayRequest, accept: string | undefined): GatewayRequest {
  return { ...request, headers: { ...headers, accept } }
}

describe('a gateway that answers callers without Accept in the classic form', () => {
  const { gateway } = testGateway({ replyFormat: 'classic' })

  test.for([undefined, 'application/vnd.pay+json;q=0', '*/*', 'text/html'])(
    '[G2.1-01] [G2.1-02] answers Accept %s by a form whose values end in a line feed',
    async (accept) => {
      const { status, headers, body } = await gateway.handle(without(sale({ client_orderid: 'a b' }), accept))
      expect([status, headers['content-type']]).toEqual([200, 'text/html;charset=utf-8'])
      const pairs = rawPairs(body)
      expect(pairs.get('type')).toBe('async-response\n')
      expect(pairs.get('merchant-order-id')).toBe('a b\n')
      expect(pairs.get('paynet-order-id')).toMatch(/^[1-9]\d{14}\n$/)
      expect(body.split('&').every((pair) => pair.endsWith('\n'))).toBe(true)
      expect(body).toContain('merchant-order-id=a%20b\n')
    },
  )

  test('[G2.1-04] answers refusals with HTTP 200', async () => {
    const refusals = [sale({ city: '' }), status({ client_orderid: 'nobody' }), sale({ amount: '1.234' })]
    for (const request of refusals) {
      const reply = await gateway.handle(without(request, undefined))
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html;charset=utf-8'])
      expect(rawPairs(reply.body).get('type')).toBe('validation-error\n')
    }
  })

  test('[S5.2-26] a bad signature stays 403, an unknown address 404 and a GET 405', async () => {
    const bare = (request: GatewayRequest) => gateway.handle(without(request, undefined))
    expect(await bare({ ...sale(), body: form(SALE) })).toMatchObject({ status: 403 })
    expect(await bare(post('/api/v2/sail/1', 'a=1'))).toMatchObject({ status: 404 })
    expect(await bare({ ...sale(), method: 'GET' })).toMatchObject({ status: 405 })
  })

  test('the page of a 3DS step is URL-encoded once, as every value is, and once in JSON', async () => {
    await gateway.handle(sale({ client_orderid: 'asks', ...redirected('challenge') }))
    await gateway.settled()
    const asked = status({ client_orderid: 'asks' })
    const page = rawPairs((await gateway.handle(without(asked, undefined))).body)
      .get('html')
      ?.trim()
    expect(page).toMatch(/^<!doctype html>.*<\/html>$/s)
    const { html } = JSON.parse((await gateway.handle(asked)).body)
    expect(decodeURIComponent(html).trim()).toBe(page)
  })

  test('[G2.1-03] [G2.1-04] answers callers with Accept in JSON, refusals with 400', async () => {
    const reply = await gateway.handle(sale({ city: '' }))
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'application/vnd.pay+json'])
    expect(JSON.parse(reply.body)).toMatchObject({ type: 'validation-error', 'error-code': '1' })
  })
})
