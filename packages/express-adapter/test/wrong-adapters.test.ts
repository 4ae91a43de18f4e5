import { AssertionError } from 'node:assert'
import {
  createBrowserReturnHandler,
  createCallbackHandler,
  createThreeDsReturnHandler,
  type Handler,
  type Inbound,
  readInbound,
  redirectTo,
} from '@tallystick/client'
import {
  type ClientReturnOptions,
  type GatewayHandle,
  type JournalReturnOptions,
  readGatewayRequest,
  sendGatewayReply,
} from '@tallystick/client/internal'
import { eachAdapterCase, type MountAdapter } from '@tallystick/testing'
import { adapterCases } from '@tallystick/testing/internal'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { expect, test } from 'vitest'
import * as adapter from '../src/index.ts'
import { type Adapter, mountOn } from './mount-express.ts'

/** Cases that no adapter can fail would prove nothing: each of these adapters is wrong in one way, and a case finds it. */

interface Wrong {
  readonly how: string
  readonly routes: Partial<Adapter>
  /** For a fault of the app around the adapter. */
  readonly mount?: MountAdapter
  /** The case that finds it. */
  readonly found: string
}

type Serve = (handle: Handler, request: Request, response: Response) => Promise<void>

/** An adapter that serves callbacks like this. */
function callbacks(serve: Serve): Partial<Adapter> {
  return {
    paymentCallbacks: (options) => {
      const handle = typeof options === 'function' ? options : createCallbackHandler(options)
      return passingErrors((request, response) => serve(handle, request, response))
    },
  }
}

/** An adapter that reads callbacks like this. */
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

/** An adapter that serves returning browsers like this. */
function browsers(serve: Serve): Partial<Adapter> {
  return {
    browserReturn: <View>(options: JournalReturnOptions<View> | ClientReturnOptions | Handler) => {
      const handle = typeof options === 'function' ? options : createBrowserReturnHandler(options)
      return passingErrors((request, response) => serve(handle, request, response))
    },
  }
}

/** An adapter that serves browsers returning from 3-D Secure like this. */
function threeDs(serve: Serve): Partial<Adapter> {
  return {
    threeDsReturn: (options) => {
      const handle = typeof options === 'function' ? options : createThreeDsReturnHandler(options)
      return passingErrors((request, response) => serve(handle, request, response))
    },
  }
}

/** An adapter whose routes read forms like this. */
function readingForms(read: (request: Request) => Promise<Inbound>): Partial<Adapter> {
  const serve: Serve = async (handle, request, response) =>
    sendGatewayReply(response, await handle(await read(request)))
  return { ...callbacks(serve), ...browsers(serve), ...threeDs(serve) }
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
    how: 'answers OK, and passes nothing on',
    routes: callbacks(async (_handle, _request, response) => void response.end('OK')),
    found: 'a form with gzip, behind urlencoded',
  },
  {
    how: 'uses what a parser made, and reads no body itself',
    routes: readingForms(async ({ method, originalUrl, body }) => ({
      method,
      query: originalUrl.split('?')[1] ?? '',
      body,
    })),
    found: '[G6-01] [G6-03] a callback by POST, behind none',
  },
  {
    how: 'reads the body itself, although a parser has read it',
    routes: readingForms(async (request) => {
      let body = ''
      for await (const chunk of request) body += chunk
      return { method: request.method, query: '', body }
    }),
    found: '[G6-01] [G6-03] a callback by POST, behind urlencoded',
  },
  {
    how: 'rebuilds the query from what Express parsed',
    routes: reading(async (request) => ({
      ...(await readInbound(request)),
      query: `${new URLSearchParams(request.query as Record<string, string>)}`,
    })),
    found: 'a name that comes twice, behind none',
  },
  {
    how: 'acknowledges a callback before it is stored',
    routes: callbacks(async (handle, request, response) => {
      const kept = handle(await readInbound(request))
      response.end('OK')
      await kept
    }),
    found: 'a slow inbox: nothing is answered before it is done',
  },
  {
    how: 'acknowledges a callback before the handler is done',
    routes: callbacks(async (handle, request, response) => {
      const told = handle(await readInbound(request))
      response.end('OK')
      await told
    }),
    found: 'without a journal: a slow handler, and nothing is answered before it is done',
  },
  {
    how: 'acknowledges a callback that failed once, even after a restart',
    routes: callbacks(async (handle, request, response) => {
      const inbound = await readInbound(request)
      const control = /control\W+(\w+)/.exec(`${inbound.query} ${JSON.stringify(inbound.body)}`)?.[1]
      const isNew = !tried.has(control)
      tried.add(control)
      if (isNew) sendGatewayReply(response, await handle(inbound))
      else response.end('OK')
    }),
    found: 'without a journal: a failure between the commit of the handler and the answer, and a restart of the app',
  },
  {
    how: 'acknowledges a callback that could not be stored',
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
    how: 'passes the app an error of its own',
    routes: callbacks(async (handle, request, response) => {
      const outbound = await handle(await readInbound(request)).catch((cause: unknown) => {
        throw new Error('something failed', { cause })
      })
      sendGatewayReply(response, outbound)
    }),
    found: 'a failure between the commit and the answer: the gateway calls again, and one callback is stored',
  },
  {
    how: 'answers conditional requests as Express does for pages',
    routes: callbacks(async (handle, request, response) => {
      const { status, headers, body } = await handle(await readInbound(request))
      response.status(status).set(headers).send(body)
    }),
    found: 'a conditional callback gets a whole answer: 304 acknowledges nothing',
  },
  {
    how: 'tries the key of the other shop if its own is wrong',
    routes: callbacks(async (handle, request, response) => {
      byTheirKeys.push(handle)
      const inbound = await readInbound(request)
      const answers = await Promise.all([handle, ...byTheirKeys].map((one) => one(inbound)))
      const outbound = answers.find(({ status }) => status === 200) ?? (await handle(inbound))
      sendGatewayReply(response, outbound)
    }),
    found: 'two shops: the key of one is wrong for the other, and no other shop is asked',
  },
  {
    how: 'does not pass on the same callback again',
    routes: callbacks(async (handle, request, response) => {
      const inbound = await readInbound(request)
      const isNew = !seen.has(`${inbound.query}${JSON.stringify(inbound.body)}`)
      seen.add(`${inbound.query}${JSON.stringify(inbound.body)}`)
      if (isNew) sendGatewayReply(response, await handle(inbound))
      else response.end('OK')
    }),
    found: '[G6-05] the same callback again and again: each reaches the inbox and is acknowledged, one is stored',
  },
  {
    how: 'trusts a control that was right once',
    routes: callbacks(async (handle, request, response) => {
      const inbound = await readInbound(request)
      const control = new URLSearchParams(`${inbound.query}&${inbound.body ?? ''}`).get('control')
      const outbound = trusted.has(control) ? { status: 200, headers: {}, body: 'OK' } : await handle(inbound)
      if (outbound.status === 200) trusted.add(control)
      sendGatewayReply(response, outbound)
    }),
    found: 'a genuine control, then the same with another status, id or order, behind none',
  },
  {
    how: 'looks for repeated names in an object, which has inherited names',
    routes: reading(async (request) => {
      const inbound = await readInbound(request)
      const fields: Record<string, string> = {}
      for (const [name, value] of new URLSearchParams(typeof inbound.body === 'string' ? inbound.body : '')) {
        if (name in fields) throw new Error(`${name} came twice`)
        fields[name] = value
      }
      return inbound
    }),
    found: 'names that every object inherits, behind none',
  },
  {
    how: 'decodes what a parser has already decoded',
    routes: reading(async (request) => {
      const inbound = await readInbound(request)
      if (typeof inbound.body !== 'object') return inbound
      const decoded = Object.entries(inbound.body).map(([name, value]) => [name, decodeURIComponent(String(value))])
      return { ...inbound, body: Object.fromEntries(decoded) }
    }),
    found: 'percent escapes that are cut off or not UTF-8, behind urlencoded',
  },
  {
    how: 'is in an app that answers 500 to every error',
    routes: {},
    mount: (setup) => {
      const onError = (error: unknown) => {
        setup.onError(error)
        if (error instanceof Error) Reflect.set(error, 'status', 500)
      }
      return mountOn(express)({ ...setup, onError })
    },
    found: 'a body of 4 MiB in pieces, behind urlencoded',
  },
  {
    how: 'believes no proxy about the address of the customer, even a trusted one',
    routes: browsers(async (handle, request, response) => {
      const customerIp = request.socket.remoteAddress
      sendGatewayReply(response, await handle({ ...(await readInbound(request)), customerIp }))
    }),
    found: 'behind a trusted proxy, the customer has the address that the proxy gives',
  },
  {
    how: 'refuses a browser that comes from another origin',
    routes: browsers(async (handle, request, response) => {
      if (request.get('origin') === 'null') response.status(403).end()
      else sendGatewayReply(response, await handle(await readInbound(request)))
    }),
    found: 'a browser returns from another origin, without cookies and origin',
  },
  {
    how: 'shows a page although the journal could not be asked',
    routes: browsers(async (handle, request, response) => {
      const outbound = await handle(await readInbound(request)).catch(() => redirectTo('/orders'))
      sendGatewayReply(response, outbound)
    }),
    found: 'a browser that returns while the journal is down',
  },
  {
    how: 'sends a page without its headers',
    routes: threeDs(async (handle, request, response) => {
      const { body } = await handle(await readInbound(request))
      response.send(body)
    }),
    found: 'a page of the shop arrives unchanged, with its headers',
  },
  {
    how: 'answers 200 to every return from 3-D Secure',
    routes: threeDs(async (handle, request, response) => {
      sendGatewayReply(response, { ...(await handle(await readInbound(request))), status: 200 })
    }),
    found: 'a malformed or forged return from 3-D Secure, and another method',
  },
  {
    how: 'believes anyone about the address of the customer',
    routes: browsers(async (handle, request, response) => {
      const customerIp = request.get('x-forwarded-for')
      sendGatewayReply(response, await handle({ ...(await readInbound(request)), customerIp }))
    }),
    found: 'without a trusted proxy, forwarded addresses are not believed',
  },
  {
    how: 'passes the gateway the address without the prefix of the router',
    routes: gateway(async (handle, request, response) => {
      sendGatewayReply(response, await handle({ ...(await readGatewayRequest(request)), url: request.url }))
    }),
    found: 'the gateway and the browser under a prefix, behind a parser',
  },
  {
    how: 'passes the gateway headers that Node has joined',
    routes: gateway(async (handle, request, response) => {
      sendGatewayReply(response, await handle({ ...(await readGatewayRequest(request)), headers: request.headers }))
    }),
    found: 'a header that the gateway gets twice stays two',
  },
  {
    how: 'sends a whole reply of the gateway that is to be cut',
    routes: gateway(async (handle, request, response) => {
      sendGatewayReply(response, { ...(await handle(await readGatewayRequest(request))), cut: undefined })
    }),
    found: 'a fault on demand: the connection is cut within the body, behind none',
  },
  {
    how: 'counts characters instead of bytes',
    routes: gateway(async (handle, request, response) => {
      const { status, headers, body } = await handle(await readGatewayRequest(request))
      response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
    }),
    found: 'an answer of the gateway arrives unchanged, even a refusal',
  },
]

const seen = new Set<string>()
const trusted = new Set<string | null>()
const tried = new Set<string | undefined>()

/** Runs a case on an adapter, with keys of its own, so that no run affects another. */
async function runCase({ routes, mount = mountOn(express, { ...adapter, ...routes }) }: Wrong, wanted: string) {
  const runs: (() => Promise<void>)[] = []
  eachAdapterCase(mount, (name, run) => name === wanted && runs.push(run))
  if (runs[0] === undefined) throw new Error(`there is no case named ${wanted}`)
  await runs[0]()
}

test.each(WRONG)('An adapter that $how is found', async (wrong) => {
  await expect(runCase(wrong, wrong.found)).rejects.toMatchObject({ code: 'ERR_ASSERTION' })
})

test('Every case is failed by one of these adapters', async () => {
  // Neighbouring cases are often failed by the same adapter: the one that failed the last case is tried first.
  const triedNext = [...WRONG]
  const shownNothing: string[] = []
  for (const { name } of adapterCases) {
    const index = await indexOfFirst(triedNext, async (wrong) => await isFailed(wrong, name))
    if (index < 0) shownNothing.push(name)
    else triedNext.unshift(...triedNext.splice(index, 1))
  }
  expect(shownNothing).toEqual([])
}, 60_000)

async function isFailed(wrong: Wrong, name: string): Promise<boolean> {
  try {
    await runCase(wrong, name)
    return false
  } catch (error) {
    if (error instanceof AssertionError) return true
    throw error
  }
}

async function indexOfFirst<T>(list: readonly T[], holds: (one: T) => Promise<boolean>): Promise<number> {
  for (const [index, one] of list.entries()) if (await holds(one)) return index
  return -1
}
