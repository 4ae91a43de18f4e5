import { type Transport, undiciTransport } from '@tallystick/client'
import { buildInput, saleInput, startGateway } from '@tallystick/testing'
import { ADAPTER_PARSERS } from '@tallystick/testing/internal'
import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { gatewayRoutes } from '../src/index.ts'
import { PARSERS } from './mount-fastify.ts'

/** Sends requests for the gateway to the app, as a proxy does. */
function through(url: string, { origin }: URL): Transport {
  const { send, close } = undiciTransport()
  return { send: (request, options) => send({ ...request, url: request.url.replace(origin, url) }, options), close }
}

describe('A gateway in an app', () => {
  test.each(ADAPTER_PARSERS)('verifies both signatures beside the parser %s of the app', async (parser) => {
    const gateway = await startGateway()
    const app = fastify()
    PARSERS[parser](app)
    app.register(gatewayRoutes(gateway), { prefix: '/paynet' })
    const transport = through(await app.listen({ port: 0, host: '127.0.0.1' }), new URL(gateway.merchant.baseUrl))
    const client = gateway.client({ transport })
    const sale = await client.sale(saleInput({ firstName: 'Jürgen & Söhne', city: 'Zürich 100 %' }))
    expect(sale).toMatchObject({ outcome: 'accepted' })
    expect(await client.payout(buildInput('payout'))).toMatchObject({ outcome: 'accepted' })
    await client.close()
    await Promise.all([app.close(), gateway.close()])
  })

  test('may be passed as a handle alone, whose errors go to the app', async () => {
    const failure = Object.assign(new Error('no gateway'), { statusCode: 502 })
    const app = fastify().register(
      gatewayRoutes(() => Promise.reject(failure)),
      { prefix: '/paynet' },
    )
    const errors: unknown[] = []
    app.addHook('onError', async (_request, _reply, error) => void errors.push(error))
    expect((await app.inject('/paynet/x')).statusCode).toBe(502)
    expect(errors).toEqual([failure])
  })

  test.each([
    ['nothing', undefined],
    ['a gateway that was not awaited', Promise.resolve({ handle: () => {} })],
    ['the options of one', { merchants: [] }],
  ])('is checked when it is registered, not at the first request: %s', (_what, given) => {
    // @ts-expect-error: a program without types
    expect(() => gatewayRoutes(given)).toThrow('gatewayRoutes: pass what createGateway returns, or its handle')
  })
})
