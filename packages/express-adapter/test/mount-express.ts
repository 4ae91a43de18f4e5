import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPaymentClient } from '@tallystick/client'
import type { AdapterShop, MountAdapter } from '@tallystick/testing'
import type { AdapterParser, AdapterSetup } from '@tallystick/testing/internal'
import type express from 'express'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import * as adapter from '../src/index.ts'

/** Express 4 or 5. */
export type Framework = typeof express

/** The middleware for a parser. */
export function parsersOf(express: Framework): Readonly<Record<AdapterParser, readonly RequestHandler[]>> {
  return {
    none: [],
    json: [express.json()],
    urlencoded: [express.urlencoded({ extended: false })],
    'urlencoded-nested': [express.urlencoded({ extended: true })],
    raw: [express.raw({ type: () => true })],
    text: [express.text({ type: () => true })],
    'json-and-urlencoded': [express.json(), express.urlencoded({ extended: true })],
  }
}

export type Adapter = typeof adapter

/** Mounts the adapter, or another one instead, as its users do. */
export function mountOn(express: Framework, routes: Adapter = adapter): MountAdapter {
  return async (setup) => {
    const app = express()
    app.set('trust proxy', setup.trustProxy)
    for (const parser of parsersOf(express)[setup.parser]) app.use(parser)
    for (const shop of setup.shops) app.use(`${setup.prefix}/${shop.name}`, shopRoutes(express, shop, routes))
    app.use(`${setup.prefix}/paynet`, routes.gatewayRoutes(setup.gateway))
    app.use(errorHandler(setup))
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => {
        server.close().closeAllConnections()
        await once(server, 'close')
      },
    }
  }
}

function shopRoutes(express: Framework, shop: AdapterShop, routes: Adapter) {
  const { paymentCallbacks, browserReturn, threeDsReturn } = routes
  const { journal } = shop
  const client = createPaymentClient(shop.client)
  const show = shop.showReturn
  const callbacks =
    journal === undefined
      ? { client, onOutcome: shop.onOutcome, onNotice: shop.onOutcome }
      : { client, inbox: journal.inbox }
  return express
    .Router()
    .use('/callback', paymentCallbacks(callbacks))
    .use('/return', journal === undefined ? browserReturn({ client, show }) : browserReturn({ journal, show }))
    .use('/3ds', threeDsReturn({ client, returnUrl: 'https://shop.example.com/3ds', show: shop.showOutcome }))
}

function errorHandler({ onError }: AdapterSetup): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    onError(error)
    if (!response.headersSent) response.status(error.status ?? 500).end()
  }
}
