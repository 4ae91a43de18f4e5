import {
  type ClientReturnOptions,
  createBrowserReturnHandler,
  createCallbackHandler,
  type GatewayHandle,
  type Handler,
  type Inbound,
  type JournalReturnOptions,
  readGatewayRequest,
  readInbound,
  sendGatewayReply,
} from '@tallystick/client'
import { eachAdapterCase } from '@tallystick/testing'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { expect, test } from 'vitest'
import * as adapter from '../src/index.ts'
import { type Adapter, mountOn } from './mount-express.ts'

/** Cases that nothing can fail would show nothing: each of these adapters is wrong in one way, and one case finds it. */

interface Wrong {
  readonly how: string
  readonly routes: Partial<Adapter>
  /** The case that finds it. */
  readonly found: string
}

type Serve = (handle: Handler, request: Request, response: Response) => Promise<void>

/** An adapter whose callbacks are served so. */
function callbacks(serve: Serve): Partial<Adapter> {
  return {
    paymentCallbacks: (options) => {
      const handle = typeof options === 'function' ? options : createCallbackHandler(options)
      return passingErrors((request, response) => serve(handle, request, response))
    },
  }
}

/** An adapter whose callbacks are read so. */
function reading(read: (request: Request) => Promise<Inbound>): Partial<Adapter> {
  return callbacks(async (handle, request, response) => sendGatewayReply(response, await handle(await read(request))))
}

type ServeGateway = (handle: GatewayHandle, request: Request, response: Response) => Promise<void>

function gateway(serve: ServeGateway): Partial<Adapter> {
  return {
    gatewayRoutes: (given) => {
      const handle = typeof given === 'function' ? given : given.handle
      return passingErrors((request, response) => serve(handle, request, response))
    },
  }
}

/** A browser return that believes anybody about the address of the customer. */
function believing<View>(options: JournalReturnOptions<View> | ClientReturnOptions | Handler): RequestHandler {
  const handle = typeof options === 'function' ? options : createBrowserReturnHandler(options)
  return passingErrors(async (request, response) => {
    const customerIp = request.get('x-forwarded-for')
    sendGatewayReply(response, await handle({ ...(await readInbound(request)), customerIp }))
  })
}

function passingErrors(serve: (request: Request, response: Response) => Promise<void>): RequestHandler {
  return async (request, response, next) => {
    try {
      await serve(request, response)
    } catch (error) {
      next(error)
    }
  }
}

const byTheirKeys: Handler[] = []

const WRONG: readonly Wrong[] = [
  {
    how: 'takes what a parser made, and reads no body itself',
    routes: reading(async ({ method, originalUrl, body }) => ({
      method,
      query: originalUrl.split('?')[1] ?? '',
      body,
    })),
    found: '[G6-01] [G6-03] a callback by POST, behind none',
  },
  {
    how: 'reads the body itself, though a parser has',
    routes: reading(async (request) => {
      let body = ''
      for await (const chunk of request) body += chunk
      return { method: request.method, query: '', body }
    }),
    found: '[G6-01] [G6-03] a callback by POST, behind urlencoded',
  },
  {
    how: 'writes the query anew from what Express made of it',
    routes: reading(async (request) => ({
      ...(await readInbound(request)),
      query: `${new URLSearchParams(request.query as Record<string, string>)}`,
    })),
    found: 'a name that comes twice, behind none',
  },
  {
    how: 'acknowledges before it is kept',
    routes: callbacks(async (handle, request, response) => {
      const kept = handle(await readInbound(request))
      response.end('OK')
      await kept
    }),
    found: 'a slow inbox: nothing is answered before it is done',
  },
  {
    how: 'acknowledges before the handler is done',
    routes: callbacks(async (handle, request, response) => {
      const told = handle(await readInbound(request))
      response.end('OK')
      await told
    }),
    found: 'without a journal: a slow handler, and nothing is answered before it is done',
  },
  {
    how: 'takes what broke once for done, over a new start, too',
    routes: callbacks(async (handle, request, response) => {
      const inbound = await readInbound(request)
      const control = /control\W+(\w+)/.exec(`${inbound.query} ${JSON.stringify(inbound.body)}`)?.[1]
      const isNew = !tried.has(control)
      tried.add(control)
      if (isNew) sendGatewayReply(response, await handle(inbound))
      else response.end('OK')
    }),
    found: 'without a journal: a break between the commit of the handler and the answer, and a new process',
  },
  {
    how: 'acknowledges what could not be kept',
    routes: callbacks(async (handle, request, response) => {
      await handle(await readInbound(request)).catch(() => undefined)
      response.end('OK')
    }),
    found: 'an inbox that is down: 503 through the error handler of the app, so that the gateway calls again',
  },
  {
    how: 'hides the error from the app',
    routes: callbacks(async (handle, request, response) => {
      const failed = { status: 503, headers: {}, body: '' }
      sendGatewayReply(response, await handle(await readInbound(request)).catch(() => failed))
    }),
    found: 'an inbox that is down: 503 through the error handler of the app, so that the gateway calls again',
  },
  {
    how: 'makes an error of the app of its own',
    routes: callbacks(async (handle, request, response) => {
      const outbound = await handle(await readInbound(request)).catch((cause: unknown) => {
        throw new Error('something failed', { cause })
      })
      sendGatewayReply(response, outbound)
    }),
    found: 'a break between the commit and the answer: the gateway calls again, and one is kept',
  },
  {
    how: 'answers conditions as Express does for pages',
    routes: callbacks(async (handle, request, response) => {
      const { status, headers, body } = await handle(await readInbound(request))
      response.status(status).set(headers).send(body)
    }),
    found: 'a callback with conditions is answered whole: 304 acknowledges nothing',
  },
  {
    how: 'lets a wrong key fall through to the other shop',
    routes: callbacks(async (handle, request, response) => {
      byTheirKeys.push(handle)
      const inbound = await readInbound(request)
      const answers = await Promise.all([handle, ...byTheirKeys].map((one) => one(inbound)))
      const outbound = answers.find(({ status }) => status === 200) ?? (await handle(inbound))
      sendGatewayReply(response, outbound)
    }),
    found: 'two shops: the key of one opens nothing of the other, and nobody else is asked',
  },
  {
    how: 'keeps nothing of a sender that sends the same again',
    routes: callbacks(async (handle, request, response) => {
      const inbound = await readInbound(request)
      const isNew = !seen.has(`${inbound.query}${JSON.stringify(inbound.body)}`)
      seen.add(`${inbound.query}${JSON.stringify(inbound.body)}`)
      if (isNew) sendGatewayReply(response, await handle(inbound))
      else response.end('OK')
    }),
    found: '[G6-05] the same callback again and again: each is acknowledged and heard, one is kept',
  },
  {
    how: 'trusts a control that was good once',
    routes: callbacks(async (handle, request, response) => {
      const inbound = await readInbound(request)
      const control = new URLSearchParams(`${inbound.query}&${inbound.body ?? ''}`).get('control')
      const outbound = trusted.has(control) ? { status: 200, headers: {}, body: 'OK' } : await handle(inbound)
      if (outbound.status === 200) trusted.add(control)
      sendGatewayReply(response, outbound)
    }),
    found: 'a genuine control, and then the same over another status, id or order, behind none',
  },
  {
    how: 'believes anybody about the address of the customer',
    routes: { browserReturn: believing },
    found: 'what anybody says of addresses is not believed',
  },
  {
    how: 'gives the gateway the address that a router has cut',
    routes: gateway(async (handle, request, response) => {
      sendGatewayReply(response, await handle({ ...(await readGatewayRequest(request)), url: request.url }))
    }),
    found: 'the gateway and the browser under a prefix, behind a parser',
  },
  {
    how: 'gives the gateway headers that Node has joined',
    routes: gateway(async (handle, request, response) => {
      sendGatewayReply(response, await handle({ ...(await readGatewayRequest(request)), headers: request.headers }))
    }),
    found: 'a header that came twice to the gateway stays two',
  },
  {
    how: 'sends a reply of the gateway whole that is to be cut',
    routes: gateway(async (handle, request, response) => {
      sendGatewayReply(response, { ...(await handle(await readGatewayRequest(request))), cut: undefined })
    }),
    found: 'a fault on demand: the connection is cut within the body, behind none',
  },
  {
    how: 'counts characters for bytes',
    routes: gateway(async (handle, request, response) => {
      const { status, headers, body } = await handle(await readGatewayRequest(request))
      response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
    }),
    found: 'an answer of the gateway arrives as it is, refusals too',
  },
]

const seen = new Set<string>()
const trusted = new Set<string | null>()
const tried = new Set<string | undefined>()

/** The cases by their names. */
function casesOf(routes: Partial<Adapter>): ReadonlyMap<string, () => Promise<void>> {
  const cases = new Map<string, () => Promise<void>>()
  eachAdapterCase(mountOn(express, { ...adapter, ...routes }), (name, run) => cases.set(name, run))
  return cases
}

test.each(WRONG)('An adapter that $how is found', async ({ routes, found }) => {
  const run = casesOf(routes).get(found)
  if (run === undefined) throw new Error(`there is no case named ${found}`)
  await expect(run()).rejects.toMatchObject({ code: 'ERR_ASSERTION' })
})
