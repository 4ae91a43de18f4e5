import { type Transport, undiciTransport } from '@tallystick/client'
import { buildInput, saleInput, startGateway } from '@tallystick/testing'
import { ADAPTER_PARSERS } from '@tallystick/testing/internal'
import express from 'express'
import { describe, expect, test } from 'vitest'
import { gatewayRoutes } from '../src/index.ts'
import { parsersOf } from './mount-express.ts'
import { keepErrors, startApp } from './start-app.ts'

/** Sends requests for the gateway to the app, as a proxy does. */
function through(url: string, { origin }: URL): Transport {
  const { send, close } = undiciTransport()
  return { send: (request, options) => send({ ...request, url: request.url.replace(origin, url) }, options), close }
}

describe('A gateway in an app', () => {
  test.each(ADAPTER_PARSERS)('verifies both signatures behind %s', async (parser) => {
    const gateway = await startGateway()
    const app = express().use('/paynet', ...parsersOf(express)[parser], gatewayRoutes(gateway))
    const client = gateway.client({ transport: through(await startApp(app), new URL(gateway.merchant.baseUrl)) })
    const sale = await client.sale(saleInput({ firstName: 'Jürgen & Söhne', city: 'Zürich 100 %' }))
    expect(sale).toMatchObject({ outcome: 'accepted' })
    expect(await client.payout(buildInput('payout'))).toMatchObject({ outcome: 'accepted' })
    await gateway.close()
  })

  test('may be passed as a handle alone, whose errors go to the app', async () => {
    const errors: unknown[] = []
    const failure = Object.assign(new Error('no gateway'), { status: 502 })
    const app = express()
      .use(
        '/paynet',
        gatewayRoutes(() => Promise.reject(failure)),
      )
      .use(keepErrors(errors))
    expect((await fetch(`${await startApp(app)}/paynet/x`)).status).toBe(502)
    expect(errors).toEqual([failure])
  })

  test.each([
    ['nothing', undefined],
    ['a gateway that was not awaited', Promise.resolve({ handle: () => {} })],
    ['the options of one', { merchants: [] }],
  ])('is checked when it is mounted, not at the first request: %s', (_what, given) => {
    // @ts-expect-error: a program without types
    expect(() => gatewayRoutes(given)).toThrow('gatewayRoutes: pass what createGateway returns, or its handle')
  })

  test('answers no request twice', async () => {
    const errors: unknown[] = []
    const app = express()
      .use((_request, response, next) => {
        response.status(504).end()
        next()
      })
      .use(gatewayRoutes(async () => ({ status: 200, headers: {}, body: '' })))
      .use(keepErrors(errors))
    expect((await fetch(await startApp(app))).status).toBe(504)
    expect(errors).toEqual([])
  })
})
