import type { Secret } from '@tallystick/core'
import { checkOptions, type GatewayReply, type GatewayRequest, validator } from '@tallystick/core/internal'
import { FAULTS } from '../faults/faults.ts'
import type { Gateway } from '../gateway.ts'
import type { RefusedRequest } from '../http/reject.ts'
import { NO_FRAME, NOTHING, SAFE_HEADERS } from '../http/reply.ts'
import { isLink, mayBePage, namesOwnPage, namesThisMachine, pageRefused, shownPath } from '../http/request.ts'
import type { StreamedReply } from '../http/server.ts'
import { type Admission, admitByKey } from '../requests/operator-access.ts'
import { DECISION_ROUTES } from './decision-routes.ts'
import { RECORDING_ROUTES } from './recording-routes.ts'
import { REQUEST_ROUTES } from './request-routes.ts'
import { type Route, SandboxRequestError } from './route.ts'
import { ROUTES } from './routes.ts'
import { WORKBENCH_ROUTES } from './workbench-routes.ts'

const LIST: Route = {
  method: 'GET',
  path: /^\/?$/,
  shown: '/__sandbox',
  isUnmasked: true,
  meaning: 'What there is: these requests, and the faults with the amount and the card that stand for each.',
  answer: async () => ({ body: { requests: requestsOf(ALL), faults: shownFaults() } }),
}

const ALL: readonly Route[] = [
  LIST,
  ...ROUTES,
  ...REQUEST_ROUTES,
  ...RECORDING_ROUTES,
  ...WORKBENCH_ROUTES,
  ...DECISION_ROUTES,
]

const BASE = '/__sandbox'

const GATEWAY = validator.required(validator.withMethods('what createGateway gives', 'handle'))

/** How a sandbox is reached, and who may change something. */
export interface SandboxOptions {
  /** The name by which callers address it, if that is one of the public DNS. */
  readonly host?: string | undefined
  /**
   * Who has this key may change something and read what came in, as `Authorization: Bearer KEY`; to read, also with `token=KEY` in
   * the query. Default: everybody who reaches it may.
   */
  readonly operatorKey?: Secret | undefined
  /** Called with each request that is turned away. */
  readonly onRefused?: ((refused: RefusedRequest) => void) | undefined
}

/** On whose word, where no key is asked for. */
const ANYBODY = { ok: true, by: { who: 'a test', why: '' } } as const

/**
 * The way in for tests whose gateway runs in another process: time, faults, callbacks and orders as JSON below `/__sandbox`; and the
 * workbench at `/`, a page that shows them.
 * Whoever reaches it may read orders, and do what `operatorKey` does not guard: it belongs on a port of its own that only this
 * machine reaches. It refuses requests that a page in a browser may have sent, unless it has served the page itself, which then
 * needs the key for everything: callers must address it by an IP address, by a name of a private network, such as `localhost` or
 * a container's, or by `host`.
 *
 * @throws TypeError if `gateway` is no gateway, or no sandbox
 */
export function createSandbox(
  gateway: Gateway,
  { host, operatorKey, onRefused }: SandboxOptions = {},
): (request: GatewayRequest) => Promise<StreamedReply> {
  checkOptions('createSandbox', { gateway }, { gateway: GATEWAY })
  const { sandbox } = gateway
  if (sandbox === undefined) throw new TypeError('the gateway is no sandbox: create it with sandbox: true')
  return async (request) => {
    const refuse = (status: number, error: string) => {
      onRefused?.({ method: request.method, path: shownPath(request.url), status, peer: request.peer, reason: error })
      return json(status, sandbox.masked({ error }))
    }
    const file = await workbenchFile(request)
    if (file !== undefined) {
      const reason = strangerIn(request, host)
      return reason === undefined ? file : refuse(403, reason)
    }
    const { path, query, token } = addressOf(request)
    const here = ALL.filter((each) => each.path.test(path))
    const route = here.find(({ method }) => method === request.method)
    const admitted = admission({ request, route, token }, { host, operatorKey })
    if (!admitted.ok) return refuse(admitted.status, admitted.reason)
    if (route === undefined) return here.length > 0 ? otherMethod(here) : nothingHere()
    const by = { ...admitted.by, from: request.peer }
    try {
      const [, id = ''] = route.path.exec(path) ?? []
      const { headers, body } = request
      const said = await route.answer({ id, query, headers, body, by }, { ...gateway, sandbox })
      if (route.isRecorded === true) await sandbox.record(`${route.method} ${BASE}${path}`, by)
      if ('reply' in said) return said.reply
      return json(said.status ?? 200, route.isUnmasked === true ? said.body : sandbox.masked(said.body))
    } catch (error) {
      if (error instanceof SandboxRequestError) {
        return json(400, sandbox.masked({ error: error.message, field: error.field }))
      }
      // Whoever asks here may read what went wrong.
      return json(500, sandbox.masked({ error: String(error) }))
    }
  }
}

interface Asking {
  readonly request: GatewayRequest
  readonly route: Route | undefined
  readonly token: string | undefined
}

function admission(
  { request, route, token }: Asking,
  { host, operatorKey }: Pick<SandboxOptions, 'host' | 'operatorKey'>,
): Admission {
  const isOwnPage = namesOwnPage(request, host)
  if (!isOwnPage && mayBePage(request, host)) return { ok: false, status: 403, reason: pageRefused(request) }
  const isPrivate = route?.isPrivate === true
  if (isPrivate && !namesThisMachine(request, host)) return { ok: false, status: 403, reason: OTHER_NAME }
  const isOpen = request.method === 'GET' && !isPrivate && !isOwnPage
  return operatorKey === undefined || isOpen ? ANYBODY : admitByKey(request, operatorKey, token)
}

/** Why the page is not shown to whoever asks. It holds nothing, so that it needs no key. */
function strangerIn(asked: GatewayRequest, host: string | undefined): string | undefined {
  // The address of the page may stand in a page, such as a terminal in a browser.
  const request = isLink(asked) ? { ...asked, headers: { ...asked.headers, 'sec-fetch-site': undefined } } : asked
  if (mayBePage(request, host)) return pageRefused(request)
  return namesThisMachine(request, host) ? undefined : OTHER_NAME
}

const OTHER_NAME = 'what came in is only shown by a name of this machine, such as 127.0.0.1, or by sandboxHost'

/** The path below `/__sandbox`, or one that no route has; the key is no part of the query that routes read. */
function addressOf({ method, url }: GatewayRequest) {
  const [path = '', text = ''] = url.split('?')
  const query = new URLSearchParams(text)
  const token = method === 'GET' ? (query.get('token') ?? undefined) : undefined
  if (token !== undefined) query.delete('token')
  return { path: path.startsWith(BASE) ? path.slice(BASE.length) : ELSEWHERE, query, token }
}

const ELSEWHERE = '//'

function nothingHere(): GatewayReply {
  return json(404, { error: 'there is nothing at this path', requests: requestsOf(ALL) })
}

function otherMethod(here: readonly Route[]): GatewayReply {
  const reply = json(405, { error: 'this path takes another method', requests: requestsOf(here) })
  return { ...reply, headers: { ...reply.headers, allow: here.map(({ method }) => method).join(', ') } }
}

function requestsOf(routes: readonly Route[]) {
  return routes.map(({ method, shown, takes, meaning }) => ({ request: `${method} ${shown}`, takes, meaning }))
}

function shownFaults() {
  return Object.entries(FAULTS).map(([fault, { acts, meaning, amount, card }]) => {
    return { fault, acts, meaning, amountInMinorUnits: Number(amount), testCard: card }
  })
}

function json(status: number, body: unknown): GatewayReply {
  return {
    status,
    headers: { ...SAFE_HEADERS, 'content-type': 'application/json' },
    body: `${JSON.stringify(body, undefined, 2)}\n`,
  }
}

/** Scripts, styles and requests of this port alone, and nothing that a page can be made to run. */
const POLICY = [
  NOTHING,
  NO_FRAME,
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const PATHS: ReadonlySet<string> = new Set(['/', '/workbench.js', '/workbench.css'])

/** A file of the page that shows what happened. `undefined`: the request asks for something else. */
async function workbenchFile({ method, url }: GatewayRequest): Promise<GatewayReply | undefined> {
  const [path = ''] = url.split('?')
  if (method !== 'GET' || !PATHS.has(path)) return undefined
  // Only now: most sandboxes are never looked at.
  const { files } = await import('@tallystick/workbench')
  const file = files[path]
  if (file === undefined) return undefined
  const headers = { ...SAFE_HEADERS, 'content-security-policy': POLICY, 'content-type': file.contentType }
  return { status: 200, headers, body: file.text }
}
