import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBrowserReturnHandler, createCallbackHandler, createPaymentClient } from '@tallystick/client'
import { gatewayRoutes, threeDsReturn } from '@tallystick/express-adapter'
import { type AdapterShop, eachAdapterCase, type MountAdapter } from '@tallystick/testing'
import type { AdapterParser } from '@tallystick/testing/internal'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { describe, expect, test } from 'vitest'
import { asMiddleware, type PaymentRoutes } from '../src/routes.ts'

const PARSERS: Readonly<Record<AdapterParser, readonly RequestHandler[]>> = {
  none: [],
  json: [express.json()],
  urlencoded: [express.urlencoded({ extended: false })],
  'urlencoded-nested': [express.urlencoded({ extended: true })],
  raw: [express.raw({ type: () => true })],
  text: [express.text({ type: () => true })],
  'json-and-urlencoded': [express.json(), express.urlencoded({ extended: true })],
}

/** The routes of a shop whose journal is that of the case. */
function routesOf({ client: options, journal, onOutcome, showReturn: show }: AdapterShop): PaymentRoutes {
  const client = createPaymentClient(options)
  return journal === undefined
    ? {
        callback: createCallbackHandler({ client, onOutcome, onNotice: onOutcome }),
        return: createBrowserReturnHandler({ client, show }),
      }
    : {
        callback: createCallbackHandler({ client, inbox: journal.inbox }),
        return: createBrowserReturnHandler({ journal, show }),
      }
}

const mount: MountAdapter = async ({ parser, prefix, trustProxy, shops, gateway, onError }) => {
  const app = express().set('trust proxy', trustProxy)
  for (const one of PARSERS[parser]) app.use(one)
  for (const shop of shops) {
    const path = `${prefix}/${shop.name}`
    const client = createPaymentClient(shop.client)
    app.use(
      path,
      asMiddleware(routesOf(shop), () => path, onError),
    )
    app.use(`${path}/3ds`, threeDsReturn({ client, returnUrl: 'https://shop.example.com/3ds', show: shop.showOutcome }))
  }
  app.use(`${prefix}/paynet`, gatewayRoutes(gateway))
  const answerErrors: ErrorRequestHandler = (error, _request, response, _next) => {
    onError(error)
    if (!response.headersSent) response.status(error.status ?? 500).end()
  }
  const server = createServer(app.use(answerErrors)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  }
}

describe('Every case of an adapter, on the one middleware', () => {
  // oxlint-disable-next-line vitest/valid-title -- the case brings its title
  eachAdapterCase(mount, (name, run) => test(name, () => expect(run()).resolves.toBeUndefined()))
})
