import { createGunzip, gzipSync } from 'node:zlib'
import type { Handler, Inbound } from '@tallystick/client'
import fastify, { type FastifyInstance } from 'fastify'
import fastify4 from 'fastify4'
import { afterEach, describe, expect, test } from 'vitest'
import { browserReturn, paymentCallbacks, paymentRoutes, threeDsReturn } from '../src/index.ts'

const form = new URLSearchParams({ status: 'approved', orderid: '1', client_orderid: 'inv-a' })
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
const ok: Handler = async () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' })

const apps: FastifyInstance[] = []

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

describe.each([
  ['5', fastify],
  ['4', fastify4],
])('On Fastify %s', (_version, framework) => {
  /** An app that ends with the test. */
  function make(): FastifyInstance {
    const app = framework({ forceCloseConnections: true })
    apps.push(app)
    return app
  }

  const addressOf = async (app: FastifyInstance) => await app.listen({ port: 0, host: '127.0.0.1' })

  /** An app with the callback route, what its handler is called with, and the errors that the app gets. */
  function withCallbacks(prepare: (app: FastifyInstance) => void = () => {}) {
    const inbound: Inbound[] = []
    const errors: unknown[] = []
    const app = make()
    prepare(app)
    app.addHook('onError', async (_request, _reply, error) => void errors.push(error))
    const handle: Handler = async (given) => {
      inbound.push(given)
      return await ok(given)
    }
    app.register(paymentCallbacks(handle), { prefix: '/callback' })
    return { app, inbound, errors }
  }

  test('the routes of the app keep its parsers, and the plugin has its own', async () => {
    const { app, inbound } = withCallbacks()
    app.post('/orders', async ({ body }) => ({ body }))
    const headers = { 'content-type': 'application/json' }
    const order = await app.inject({ method: 'POST', url: '/orders', headers, payload: '{"tea":1}' })
    expect(order.json()).toEqual({ body: { tea: 1 } })
    const url = await addressOf(app)
    expect((await fetch(`${url}/orders`, { method: 'POST', body: form })).status).toBe(415)
    expect((await fetch(`${url}/callback`, { method: 'POST', body: form })).status).toBe(200)
    expect(inbound).toMatchObject([{ method: 'POST', body: form.toString(), customerIp: '127.0.0.1' }])
  })

  test('the routes of a shop in one object are below the prefix, and nothing else', async () => {
    const app = make()
    const answering =
      (body: string): Handler =>
      async (given) => ({ ...(await ok(given)), body })
    app.register(paymentRoutes({ routes: { callback: answering('called'), return: answering('back') } }), {
      prefix: '/pay',
    })
    const answerAt = async (url: string) =>
      await app.inject({ method: 'POST', url, headers: urlencoded, payload: `${form}` })
    expect((await answerAt('/pay/callback')).body).toBe('called')
    expect((await answerAt('/pay/return')).body).toBe('back')
    expect((await answerAt('/pay/other')).statusCode).toBe(404)
  })

  test('a request is injected, as in a test of the shop', async () => {
    const { app, inbound } = withCallbacks()
    const posted = await app.inject({ method: 'POST', url: '/callback', headers: urlencoded, payload: `${form}` })
    expect([posted.statusCode, posted.body]).toEqual([200, 'OK'])
    expect((await app.inject(`/callback?${form}`)).statusCode).toBe(200)
    expect(inbound).toMatchObject([{ body: `${form}` }, { query: `${form}`, body: undefined }])
  })

  test('a body that a hook has inflated is read inflated', async () => {
    const { app, inbound } = withCallbacks((shop) =>
      shop.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(createGunzip())),
    )
    const options = {
      method: 'POST',
      headers: { ...urlencoded, 'content-encoding': 'gzip' },
      body: gzipSync(`${form}`),
    }
    expect((await fetch(`${await addressOf(app)}/callback`, options)).status).toBe(200)
    expect(inbound).toMatchObject([{ body: `${form}` }])
  })

  test('a body that a hook has discarded is not mistaken for an empty one', async () => {
    const { app, inbound, errors } = withCallbacks((shop) =>
      shop.addHook('onRequest', ({ raw }, _reply, done) => void raw.resume().once('end', () => done())),
    )
    expect((await fetch(`${await addressOf(app)}/callback`, { method: 'POST', body: form })).status).toBe(503)
    expect([inbound, errors]).toMatchObject([[], [{ code: 'BODY_TAKEN', statusCode: 503 }]])
  })

  test('a hook with a timeout may answer first', async () => {
    const app = make()
    const errors: unknown[] = []
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    const late: Handler = async (inbound) => {
      await answered
      return await ok(inbound)
    }
    app.addHook('preHandler', (_request, reply, done) => {
      done()
      reply.raw.writeHead(504).end('too late', resolve)
    })
    app.addHook('onError', async (_request, _reply, error) => void errors.push(error))
    app.register(paymentCallbacks(late))
    const response = await fetch(await addressOf(app))
    expect([response.status, await response.text()]).toEqual([504, 'too late'])
    await app.close()
    expect(errors).toEqual([])
  })

  test('an answer has the headers of hooks and of the handler, and no hook turns it into a 304', async () => {
    const { app } = withCallbacks((shop) => {
      shop.addHook('onRequest', async (_request, reply) => void reply.header('x-frame-options', 'DENY'))
      shop.addHook('onSend', async (_request, reply) => void reply.code(304))
    })
    const { status, headers } = await fetch(`${await addressOf(app)}/callback`, { headers: { 'if-none-match': '*' } })
    expect([status, headers.get('x-frame-options'), headers.get('content-type')]).toEqual([200, 'DENY', 'text/plain'])
  })

  test('a hook after the response runs, as for the log', async () => {
    const { promise: logged, resolve } = Promise.withResolvers<number>()
    const { app } = withCallbacks((shop) =>
      shop.addHook('onResponse', async (_request, reply) => resolve(reply.raw.statusCode)),
    )
    await fetch(`${await addressOf(app)}/callback`, { method: 'POST', body: form })
    expect(await logged).toBe(200)
  })

  test('an app without an error handler also answers with the status of the error', async () => {
    const inbox = { receive: () => Promise.reject(new Error('the disk is full')) }
    const client = { verifiesCallback: () => true }
    const app = make()
    app.register(paymentCallbacks({ client, inbox }))
    expect((await fetch(`${await addressOf(app)}/?${form}&control=0`)).status).toBe(503)
  })

  test('closing the app waits for a callback that is being stored', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: stored, resolve: store } = Promise.withResolvers<void>()
    const app = framework()
    app.register(
      paymentCallbacks(async (inbound) => {
        begin()
        await stored
        return await ok(inbound)
      }),
    )
    const answer = fetch(await addressOf(app))
    await begun
    const closed = app.close()
    store()
    expect((await answer).status).toBe(200)
    await closed
  })

  test('the query is what arrived, under any prefix', async () => {
    const inbound: Inbound[] = []
    const app = make()
    const handle: Handler = async (given) => {
      inbound.push(given)
      return await ok(given)
    }
    const shops = async (shop: FastifyInstance) => void shop.register(paymentCallbacks(handle), { prefix: '/callback' })
    app.register(shops, { prefix: '/shops/eu' })
    await fetch(`${await addressOf(app)}/shops/eu/callback?a=1?2&b[]=x&b[]=%20y&a=3`)
    expect(inbound).toMatchObject([{ method: 'GET', query: 'a=1?2&b[]=x&b[]=%20y&a=3' }])
  })

  test.each([
    ['browserReturn', browserReturn],
    ['threeDsReturn', threeDsReturn],
  ])('%s also accepts a handler, and passes it what is known of the browser', async (_name, route) => {
    const inbound: Inbound[] = []
    const app = make()
    app.register(
      route(async (given) => {
        inbound.push(given)
        return await ok(given)
      }),
    )
    await fetch(await addressOf(app), { method: 'POST', body: form, headers: { 'user-agent': 'Mozilla/5.0' } })
    expect(inbound).toMatchObject([{ headers: { 'user-agent': 'Mozilla/5.0' }, customerIp: '127.0.0.1' }])
  })
})
