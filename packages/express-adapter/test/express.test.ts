import { Agent, request } from 'node:http'
import type { Handler, Inbound } from '@tallystick/client'
import express, { type RequestHandler } from 'express'
import express4 from 'express4'
import { describe, expect, test } from 'vitest'
import { browserReturn, paymentCallbacks, threeDsReturn } from '../src/index.ts'
import { keepErrors, startApp } from './start-app.ts'

const form = new URLSearchParams({ status: 'approved', orderid: '1', client_orderid: 'inv-a' })
const ok: Handler = async () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' })

/** A handler that records what it is called with. */
function listening() {
  const inbound: Inbound[] = []
  const handle: Handler = async (given) => {
    inbound.push(given)
    return await ok(given)
  }
  return { inbound, handle }
}

describe.each([
  ['5', express],
  ['4', express4],
])('On Express %s', (_version, framework) => {
  /** An app with the callback route behind a middleware. */
  async function appBehind(middleware: RequestHandler) {
    const { inbound, handle } = listening()
    const errors: unknown[] = []
    const app = framework().use(middleware).use('/callback', paymentCallbacks(handle)).use(keepErrors(errors))
    return { url: `${await startApp(app)}/callback`, inbound, errors }
  }

  test('a body that a middleware has read in part is not mistaken for the whole body', async () => {
    const { url, inbound, errors } = await appBehind((incoming, _response, next) => {
      incoming.once('data', () => {
        incoming.pause()
        next()
      })
    })
    const body = new Blob([form.toString(), 'x'.repeat(500_000)])
    expect((await fetch(url, { method: 'POST', body })).status).toBe(503)
    expect([inbound, errors]).toMatchObject([[], [{ code: 'BODY_TAKEN', status: 503 }]])
  })

  test('a body that a middleware has discarded is not mistaken for an empty one', async () => {
    const { url, inbound, errors } = await appBehind((incoming, _response, next) => {
      incoming.resume().once('end', () => next())
    })
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(503)
    expect([inbound, errors]).toMatchObject([[], [{ code: 'BODY_TAKEN' }]])
  })

  test('a body that a middleware has destroyed is not waited for', async () => {
    const { promise: told, resolve } = Promise.withResolvers<unknown>()
    const app = framework()
      .use((incoming, _response, next) => {
        incoming.destroy()
        next()
      })
      .use(paymentCallbacks(ok))
      .use(((error, _request, _response, _next) => resolve(error)) satisfies express.ErrorRequestHandler)
    await expect(fetch(await startApp(app), { method: 'POST', body: form })).rejects.toThrow('fetch failed')
    expect(await told).toMatchObject({ code: 'BODY_CUT', status: 400 })
  })

  test('a middleware with a timeout may answer first', async () => {
    const { url, errors } = await appBehind((_request, response, next) => {
      response.status(504).end('too late')
      next()
    })
    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([504, 'too late'])
    expect(errors).toEqual([])
  })

  test.each(['simple', 'extended', false, () => ({ made: 'up' })])(
    'the query is what arrived, whatever the app makes of queries (%s)',
    async (parser) => {
      const { inbound, handle } = listening()
      const app = framework().set('query parser', parser).use('/shops/eu/callback', paymentCallbacks(handle))
      await fetch(`${await startApp(app)}/shops/eu/callback?a=1?2&b[]=x&b[]=%20y&a=3`)
      expect(inbound).toMatchObject([{ method: 'GET', query: 'a=1?2&b[]=x&b[]=%20y&a=3' }])
    },
  )

  test.each([
    ['use', framework().use('/callback', paymentCallbacks(ok))],
    ['all', framework().all('/callback', paymentCallbacks(ok))],
    ['get and post', framework().get('/callback', paymentCallbacks(ok)).post('/callback', paymentCallbacks(ok))],
    ['a router', framework().use('/', framework.Router().use('/callback', express.json(), paymentCallbacks(ok)))],
  ])('it is mounted by %s', async (_how, app) => {
    const url = `${await startApp(app)}/callback`
    expect((await fetch(`${url}?${form}`)).status).toBe(200)
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200)
  })

  test('an app without an error handler also answers with the status of the error', async () => {
    const inbox = { receive: () => Promise.reject(new Error('the disk is full')) }
    const client = { verifiesCallback: () => true }
    const app = framework().set('env', 'test').use(paymentCallbacks({ client, inbox }))
    expect((await fetch(`${await startApp(app)}/?${form}&control=0`)).status).toBe(503)
  })

  test('a connection stays usable after a huge body', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { url, inbound } = await appBehind((_request, _response, next) => next())
    const ports = new Set<number | undefined>()
    for (const body of [`name=${'x'.repeat(5_000_000)}`, form.toString()]) {
      const response = await new Promise<number | undefined>((resolve, reject) => {
        const outgoing = request(url, { method: 'POST', agent }, (incoming) => {
          ports.add(incoming.socket.localPort)
          incoming.resume().once('end', () => resolve(incoming.statusCode))
        })
        outgoing.once('error', reject).end(body)
      })
      expect(response).toBe(200)
    }
    agent.destroy()
    expect(ports.size).toBe(1)
    expect(String(inbound[0]?.body).length).toBeLessThan(200_000)
    expect(inbound[1]?.body).toBe(form.toString())
  })

  test.each([
    ['browserReturn', browserReturn],
    ['threeDsReturn', threeDsReturn],
  ])('%s also accepts a handler, and passes it what is known of the browser', async (_name, route) => {
    const { inbound, handle } = listening()
    const url = await startApp(framework().use(route(handle)))
    await fetch(url, { method: 'POST', body: form, headers: { 'user-agent': 'Mozilla/5.0' } })
    expect(inbound).toMatchObject([{ headers: { 'user-agent': 'Mozilla/5.0' }, customerIp: '127.0.0.1' }])
  })
})
