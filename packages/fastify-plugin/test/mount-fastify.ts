import { createPaymentClient } from '@tallystick/client'
import type { AdapterShop, MountAdapter } from '@tallystick/testing'
import type { AdapterParser } from '@tallystick/testing/internal'
import type fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { parse as parseNested } from 'qs'
import * as adapter from '../src/index.ts'

/** Fastify 4 or 5. */
export type Framework = typeof fastify

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Fastify has parsers for JSON and text. Those for forms are what `@fastify/formbody` adds, and its nested form. */
export const PARSERS: Readonly<Record<AdapterParser, (app: FastifyInstance) => void>> = {
  none: (app) => app.removeAllContentTypeParsers(),
  json: () => {},
  urlencoded: (app) => readForms(app, (body) => Object.fromEntries(new URLSearchParams(body))),
  'urlencoded-nested': (app) => readForms(app, (body) => parseNested(body)),
  raw: (app) => everyType(app, (body) => body),
  text: (app) => everyType(app, (body) => body.toString()),
  'json-and-urlencoded': (app) => readForms(app, (body) => parseNested(body)),
}

function readForms(app: FastifyInstance, read: (body: string) => unknown): void {
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) => done(null, read(String(body))))
}

function everyType(app: FastifyInstance, read: (body: Buffer) => unknown): void {
  app.removeAllContentTypeParsers()
  for (const type of ['*', JSON_TYPE, 'text/plain', FORM_TYPE]) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, read(Buffer.from(body))))
  }
}

/** Mounts the plugins as their users do. */
export function mountOn(framework: Framework): MountAdapter {
  return async ({ parser, prefix, trustProxy, shops, gateway, onError }) => {
    const app = framework({ trustProxy })
    PARSERS[parser](app)
    app.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
      onError(error)
      return await reply.code(error.statusCode ?? 500).send()
    })
    for (const shop of shops) app.register(shopRoutes(shop), { prefix: `${prefix}/${shop.name}` })
    app.register(adapter.gatewayRoutes(gateway), { prefix: `${prefix}/paynet` })
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: async () => await app.close() }
  }
}

function shopRoutes({ journal, onOutcome, showReturn: show, showOutcome, ...shop }: AdapterShop) {
  const { paymentCallbacks, browserReturn, threeDsReturn } = adapter
  const client = createPaymentClient(shop.client)
  const callbacks =
    journal === undefined ? { client, onOutcome, onNotice: onOutcome } : { client, inbox: journal.inbox }
  const back = journal === undefined ? browserReturn({ client, show }) : browserReturn({ journal, show })
  const threeDs = threeDsReturn({ client, returnUrl: 'https://shop.example.com/3ds', show: showOutcome })
  return async (app: FastifyInstance) => {
    app.register(paymentCallbacks(callbacks), { prefix: '/callback' })
    app.register(back, { prefix: '/return' })
    app.register(threeDs, { prefix: '/3ds' })
  }
}
