import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createBrowserReturnHandler,
  createCallbackHandler,
  type Handler,
  HandlerError,
  type Inbound,
  type Outbound,
  type PaymentClient,
  readInbound,
  redirectTo,
  toFetchHandler,
} from '@tallystick/client'
import { sendGatewayReply } from '@tallystick/client/internal'
import { type Journal, type ReturnView, standingOf } from '@tallystick/journal'
import type { PaymentsEvent, PaymentsSettings } from './options.ts'
import { type ShownPayment, shownAtReturn } from './shown.ts'
import { languageOf, type TextsByLanguage } from './texts.ts'

/** The two routes of a shop, for any framework: `callback` for the gateway, `return` for browsers. */
export type PaymentRoutes = Readonly<Record<'callback' | 'return', Handler>>

/** A middleware of Express or Connect, without their types. */
export type Middleware = (
  request: IncomingMessage & {
    readonly originalUrl?: string
    readonly baseUrl?: string
    readonly ip?: string | undefined
  },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>

interface PageParts extends Pick<PaymentsSettings, 'returnTo'> {
  readonly texts: TextsByLanguage
  readonly shopUrl: () => string
}

/** What a browser that comes back is answered, by what the journal says of its order. */
export function returnPage({ texts, shopUrl, returnTo }: PageParts) {
  return async ({ intent }: ReturnView, { headers = {} }: Inbound): Promise<Outbound> => {
    // It named no payment of this shop.
    if (intent === undefined) return redirectTo(shopUrl())
    const payment = shownAtReturn(standingOf(intent), texts)
    if (returnTo === undefined) {
      return page(payment, languageOf(String(headers['accept-language'] ?? ''), texts), shopUrl())
    }
    const to = await returnTo(payment)
    return typeof to === 'string' ? redirectTo(to) : to
  }
}

interface RouteParts extends PageParts {
  readonly client: PaymentClient
  readonly journal: Pick<Journal, 'inbox' | 'browserReturn'>
}

export function paymentRoutes({ client, journal, ...parts }: RouteParts): PaymentRoutes {
  return {
    callback: createCallbackHandler({ client, inbox: journal.inbox }),
    return: createBrowserReturnHandler({ journal, show: returnPage(parts) }),
  }
}

/** What a customer sees of a shop that shows nothing itself. */
function page(payment: ShownPayment, language: string, shopUrl: string): Outbound {
  const text = escaped(payment.text(language))
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'",
    },
    body:
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${text}</title><style>body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;` +
      'color-scheme:light dark}</style>' +
      `<main><p>${text}</p><p><a href="${escaped(shopUrl)}">${escaped(new URL(shopUrl).host)}</a></p></main></html>`,
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The route at the end of a path. What is mounted before it differs between frameworks. */
function routeAt<Route>(path: string, routes: Readonly<Record<'callback' | 'return', Route>>): Route | undefined {
  const [name] = /[^/]*(?=\/?$)/.exec(path) ?? []
  return name === 'callback' || name === 'return' ? routes[name] : undefined
}

type Report = (event: PaymentsEvent) => void

/** The routes as a middleware. What is not for them goes on to the next one, and so do errors. */
export function asMiddleware(routes: PaymentRoutes, mountedAt: () => string, report: Report): Middleware {
  let isTold = false

  /** The gateway was given other addresses, so no callback would come here. */
  function watchPath(baseUrl: string): void {
    if (isTold || baseUrl === '' || mountedAt().endsWith(baseUrl)) return
    isTold = true
    const message = `the payment routes are mounted at ${baseUrl}, but the gateway and browsers are sent to ${mountedAt()}: give createPayments the option path`
    report({ type: 'WRONG_PATH', message })
  }

  return async (request, response, next) => {
    const [path = ''] = (request.url ?? '').split('?')
    const handle = routeAt(path, routes)
    if (handle === undefined) return next()
    try {
      watchPath(request.baseUrl ?? '')
      const answer = await handle(await readInbound(request))
      // A middleware with a timeout may have answered.
      if (!response.headersSent) sendGatewayReply(response, answer)
    } catch (error) {
      next(error)
    }
  }
}

/** The routes for servers that speak `Request` and `Response`. Any other path is a 404. */
export function asFetch(routes: PaymentRoutes, report: Report): (request: Request) => Promise<Response> {
  const handlers = { callback: toFetchHandler(routes.callback), return: toFetchHandler(routes.return) }
  return async (request) => {
    const [path = ''] = request.url.split(/[?#]/, 1)
    const handle = routeAt(path, handlers)
    if (handle === undefined) return new Response('There is no such payment route.', { status: 404 })
    try {
      return await handle(request)
    } catch (error) {
      const { status, message } = error instanceof HandlerError ? error : new HandlerError('NOT_TAKEN', error)
      report({ type: 'ROUTE_FAILED', message, error })
      return new Response(message, { status })
    }
  }
}
