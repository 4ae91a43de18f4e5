import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Handler, Inbound } from '@tallystick/client'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { afterEach, describe, expect, test } from 'vitest'
import { paymentCallbacks } from '../src/index.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

interface App {
  readonly url: string
  readonly inbound: Inbound[]
  readonly errors: unknown[]
}

/** An app with the callback route behind some middleware. */
async function appWith(middleware: readonly RequestHandler[], handle: Handler, prefix = '/'): Promise<App> {
  const inbound: Inbound[] = []
  const errors: unknown[] = []
  const router = express.Router()
  router.all(
    '/callback',
    ...middleware,
    paymentCallbacks((request) => {
      inbound.push(request)
      return handle(request)
    }),
  )
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error)
    response.status(500).end()
  }
  const server = createServer(express().use(prefix, router).use(onError))
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}callback`, inbound, errors }
}

const ok: Handler = async () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' })
const form = new URLSearchParams({ status: 'approved', orderid: '1', client_orderid: 'a', name: 'Jürgen & Co' })

const PARSERS: ReadonlyArray<readonly [string, readonly RequestHandler[]]> = [
  ['no parser', []],
  ['json', [express.json()]],
  ['urlencoded', [express.urlencoded({ extended: false })]],
  ['urlencoded with nesting', [express.urlencoded({ extended: true })]],
  ['raw', [express.raw({ type: '*/*' })]],
  ['text', [express.text({ type: '*/*' })]],
  ['json and urlencoded', [express.json(), express.urlencoded({ extended: true })]],
]

describe('the route hands a callback on as plain data', () => {
  test.each(PARSERS)('[G6-01] a POST behind %s', async (_name, middleware) => {
    const { url, inbound } = await appWith(middleware, ok)
    const response = await fetch(url, { method: 'POST', body: form })
    expect(response.status).toBe(200)
    const { method, body } = inbound[0] ?? {}
    const pairs = typeof body === 'string' ? new URLSearchParams(body) : Object.entries(body ?? {})
    expect(method).toBe('POST')
    expect(Object.fromEntries(pairs)).toEqual(Object.fromEntries(form))
  })

  test.each(PARSERS)('[G6-01] a GET behind %s', async (_name, middleware) => {
    const { url, inbound } = await appWith(middleware, ok)
    await fetch(`${url}?${form}`)
    expect(inbound).toMatchObject([{ method: 'GET', query: form.toString() }])
  })

  test('under a prefix the query arrives whole', async () => {
    const { url, inbound } = await appWith([], ok, '/shops/eu/payments/')
    await fetch(`${url}?a=1?2&b=3`)
    expect(inbound).toMatchObject([{ query: 'a=1?2&b=3' }])
  })
})

describe('the route answers as the handler says', () => {
  test('with its status, headers and body', async () => {
    const { url } = await appWith([], async () => ({ status: 405, headers: { allow: 'GET, POST' }, body: 'no' }))
    const response = await fetch(url)
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([405, 'GET, POST', 'no'])
  })

  test("and gives an error to the app's error handler", async () => {
    const failure = new Error('the database is down')
    const { url, errors } = await appWith([], async () => {
      throw failure
    })
    expect((await fetch(url)).status).toBe(500)
    expect(errors).toEqual([failure])
  })
})
