import type { GatewayReply, GatewayRequest } from '@tallystick/core/internal'
import type { Service } from '../context.ts'
import type { RequestEvent } from '../events.ts'
import { refusedAnswer } from '../handler.ts'
import type { Claim, Entrance } from '../http/concurrency-limit.ts'
import { NO_FRAME, NOTHING, SAFE_HEADERS } from '../http/reply.ts'
import { type PageVisit, shownPath, type TracedRequest } from '../http/request.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { RandomFill } from '../runtime/system.ts'
import { inTime, memoize } from '../runtime/tasks.ts'
import { amountFormatter, chooseLanguage } from '../texts/languages.ts'
import { formParts } from './form/form-parts.ts'
import { failurePage, layout, type Page, type PageAnswer } from './layout.ts'
import { languageAt, type PageContext, type PageRoute } from './page-route.ts'

interface PagesDependencies {
  readonly routes: readonly PageRoute[]
  readonly service: Service
  readonly basePath: string
  readonly enter: Entrance
  readonly onAnswer: (answered: RequestEvent) => void
  /** Resolves once it is known what the last process left. No page is shown before. */
  readonly recovered: () => Promise<void>
}

type FoundPage = Exclude<FoundRoute, { found: 'nothing' }>

/** More than 128 bits, so that nobody can guess which script a page will allow; and whole groups of base64. */
const NONCE_BYTES = 18
const NONCE_LENGTH = 24

/** A page says why in the customer's language, so the log names the status alone. */
const PAGE_REFUSED = { reason: 'a page of the gateway', values: {} }

/** Answers requests for the gateway's pages, which browsers open. `undefined`: the request is for none of them. */
export function pages(dependencies: PagesDependencies): (request: TracedRequest) => Promise<GatewayReply> | undefined {
  const { service, basePath, enter: pass, onAnswer, recovered } = dependencies
  const parts = { service, formatAmount: amountFormatter(), formParts: formParts(isHttps(service)) }
  const find = routeFinder(dependencies.routes)
  const newNonce = nonces(service.random)
  const languageOf = memoize(chooseLanguage)
  const writing = { basePath, common: commonHeaders(isHttps(service)), layout: layout() }

  async function enter(request: TracedRequest, found: FoundPage) {
    const serialNumber = service.ids.serialNumber()
    const started = service.clock.now()
    const language = languageOf(acceptLanguage(request) ?? '')
    let orderId: string | undefined
    const busy = () => failurePage('busy', language, { 'retry-after': '1' })
    const answer = async (claim: Claim | undefined) => {
      if (claim === undefined) return busy()
      await recovered()
      const { token } = found
      const orderOfPage = async () => {
        const order = await orderClaimed(token, claim, service)
        orderId = order?.orderId
        return order
      }
      const context = { ...parts, request, token, orderOfPage, language, at: service.clock.now() }
      return await inTime(pageOf(found, context), service.clock).catch((error: unknown) => {
        if (error instanceof ShareUsedUpError) return busy()
        throw error
      })
    }
    const answered = await pass({ serialNumber, answer, failed: () => failurePage('failure', language) })
    const reply = writePage(answered, { ...writing, nonce: newNonce() })
    request.trace?.visited({ page: found.path, orderId, ...whatIsShown(answered) })
    onAnswer({
      serialNumber,
      operation: undefined,
      httpStatus: reply.status,
      errorCode: undefined,
      orderId: undefined,
      milliseconds: service.clock.now() - started,
      refused: reply.status < 400 ? undefined : refusedAnswer(request, undefined, PAGE_REFUSED, service.profile),
    })
    return reply
  }

  return (request) => {
    if (!request.url.startsWith(`${basePath}/`)) return undefined
    const path = request.url.slice(basePath.length).replace(/\?.*/s, '')
    const found = find(request.method, path)
    return found.found === 'nothing' ? undefined : enter(request, found)
  }
}

function whatIsShown(answer: PageAnswer): Pick<PageVisit, 'shown' | 'sentOnTo'> {
  return answer.kind === 'page'
    ? { shown: answer.title, sentOnTo: undefined }
    : { shown: undefined, sentOnTo: shownPath(answer.to) }
}

class ShareUsedUpError extends Error {}

/** Whose page it is, is known only with its order: the request counts to the share of that merchant from then on. */
async function orderClaimed(token: string, claim: Claim, { store }: Service): Promise<StoredOrder | undefined> {
  const order = await store.orderByPageToken(token)
  if (order !== undefined && !claim(order.login)) throw new ShareUsedUpError()
  return order
}

async function pageOf(found: FoundPage, context: PageContext): Promise<PageAnswer> {
  if (found.found === 'route') return await found.route.handle(context)
  return failurePage('method', await languageAt(context), { allow: found.allow })
}

function acceptLanguage({ headers }: GatewayRequest): string | undefined {
  const values = headers['accept-language']
  return typeof values === 'object' ? values[0] : values
}

function isHttps({ profile }: Service): boolean {
  return profile.baseUrl.startsWith('https:')
}

/** Made a hundred at a time. Each is used in one page, and secret only until then. */
function nonces(random: RandomFill): () => string {
  const bytes = Buffer.alloc(NONCE_BYTES * 100)
  let text = ''
  let at = 0
  return () => {
    if (at === text.length) {
      random(bytes)
      text = bytes.toString('base64')
      at = 0
    }
    at += NONCE_LENGTH
    return text.slice(at - NONCE_LENGTH, at)
  }
}

type FoundRoute =
  | { readonly found: 'route'; readonly route: PageRoute; readonly path: string; readonly token: string }
  /** There is such a page, but only for these methods. */
  | { readonly found: 'method'; readonly allow: string; readonly path: string; readonly token: string }
  | { readonly found: 'nothing' }

interface PathRoutes {
  readonly path: string
  readonly pattern: RegExp
  readonly routes: ReadonlyMap<string, PageRoute>
}

/** Finds the page of a path below the base path. The routes are compiled once. */
function routeFinder(all: readonly PageRoute[]): (method: string, path: string) => FoundRoute {
  const paths = [...new Set(all.map(({ path }) => path))].map((path): PathRoutes => {
    const routes = new Map(all.filter((each) => each.path === path).flatMap(methodsOf))
    return { path, pattern: patternOf(path), routes }
  })
  return (method, path) => {
    for (const { path: shown, pattern, routes } of paths) {
      const match = pattern.exec(path)
      if (match === null) continue
      const { 1: token = '' } = match
      const route = routes.get(method)
      if (route === undefined) return { found: 'method', allow: [...routes.keys()].join(', '), path: shown, token }
      return { found: 'route', route, path: shown, token }
    }
    return { found: 'nothing' }
  }
}

function methodsOf(route: PageRoute): ReadonlyArray<readonly [string, PageRoute]> {
  return route.method === 'GET' ? [['GET', route] as const, ['HEAD', route] as const] : [['POST', route] as const]
}

/** Every gateway has the same paths. */
const patternOf = memoize((path) => {
  const literal = path.replaceAll(/[.+*?^$()[\]|\\]/g, '\\$&')
  return new RegExp(`^${literal.replace('{token}', '([\\w-]{1,128})')}$`)
})

interface Writing {
  readonly basePath: string
  readonly common: Readonly<Record<string, string>>
  /** New for every answer. */
  readonly nonce: string
  readonly layout: ReturnType<typeof layout>
}

/** Two years, as browsers' preload lists ask for. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' }

/** Headers of every page. Over HTTPS they tell browsers to use nothing else. */
function commonHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return { ...SAFE_HEADERS, ...(isHttps ? HSTS : {}) }
}

function writePage(answer: PageAnswer, { basePath, common, nonce, layout }: Writing): GatewayReply {
  const headers: Record<string, string> = { ...common }
  if (answer.kind === 'see-other') {
    headers['location'] = `${basePath}${answer.to}`
    return { status: 303, headers, body: '' }
  }
  headers['content-type'] = 'text/html; charset=utf-8'
  headers['content-security-policy'] = policyOf(answer, nonce)
  // As a header: a `meta` element would do the same, but checkers report it as a fault of the page.
  if (answer.refreshAfter !== undefined) headers['refresh'] = String(answer.refreshAfter)
  if (answer.headers !== undefined) Object.assign(headers, answer.headers)
  return { status: answer.status ?? 200, headers, body: layout(answer, nonce) }
}

/**
 * Allows nothing from elsewhere, and no style or script without the nonce of this answer.
 *
 * @see {@link https://www.w3.org/TR/CSP3/}
 */
function policyOf({ formTargets, frames, framedBy }: Page, nonce: string): string {
  const ancestors = framedBy === undefined ? NO_FRAME : `frame-ancestors ${framedBy.join(' ')}`
  const targets = formTargets === undefined ? "'self'" : formTargets.join(' ')
  const framed = frames === undefined ? '' : `; frame-src ${frames.join(' ')}`
  // `data:` is for the empty icon: without it a browser asks for an icon that does not exist.
  return `${NOTHING}; ${ancestors}; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; form-action ${targets}${framed}`
}
