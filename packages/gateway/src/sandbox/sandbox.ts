import type { Secret } from '@tallystick/core'
import { checkOptions, type GatewayReply, type GatewayRequest, validator } from '@tallystick/core/internal'
import { FAULTS } from '../faults/faults.ts'
import type { Gateway } from '../gateway.ts'
import type { RefusedRequest } from '../http/reject.ts'
import { SAFE_HEADERS } from '../http/reply.ts'
import { mayBePage, pageRefused, shownPath } from '../http/request.ts'
import { admit } from '../requests/operator-access.ts'
import type { Operator } from '../store/operator-record.ts'
import { type Route, type SandboxGateway, SandboxRequestError } from './route.ts'
import { ROUTES } from './routes.ts'

const LIST: Route = {
  method: 'GET',
  path: /^\/?$/,
  shown: '/__sandbox',
  meaning: 'What there is: these requests, and the faults with the amount and the card that stand for each.',
  answer: async () => ({ body: { requests: requestsOf(ALL), faults: shownFaults() } }),
}

const ALL: readonly Route[] = [LIST, ...ROUTES]

const BASE = '/__sandbox'

const GATEWAY = validator.required(validator.withMethods('what createGateway gives', 'handle'))

/** How a sandbox is reached, and who may change something. */
export interface SandboxOptions {
  /** The name by which callers address it, if that is one of the public DNS. */
  readonly host?: string | undefined
  /** Who has this key may change something, as `Authorization: Bearer KEY`. Default: everybody who reaches it may. */
  readonly operatorKey?: Secret | undefined
  /** Called with each request that is turned away. */
  readonly onRefused?: ((refused: RefusedRequest) => void) | undefined
}

/** On whose word, where no key is asked for. */
const ANYBODY = { ok: true, by: { who: 'a test', why: '' } } as const

/**
 * The way in for tests whose gateway runs in another process: time, faults, callbacks and orders as JSON below `/__sandbox`.
 * Whoever reaches it may read, and change what `operatorKey` does not guard: it belongs on a port of its own that only this machine reaches. It refuses requests
 * that a page in a browser may have sent: callers must address it by an IP address, by a name of a private network, such as
 * `localhost` or a container's, or by `host`.
 *
 * @throws TypeError if `gateway` is no gateway, or no sandbox
 */
export function createSandbox(
  gateway: Gateway,
  { host, operatorKey, onRefused }: SandboxOptions = {},
): (request: GatewayRequest) => Promise<GatewayReply> {
  checkOptions('createSandbox', { gateway }, { gateway: GATEWAY })
  const { sandbox } = gateway
  if (sandbox === undefined) throw new TypeError('the gateway is no sandbox: create it with sandbox: true')
  return async (request) => {
    const refuse = (status: number, error: string) => {
      onRefused?.({ method: request.method, path: shownPath(request.url), status, peer: request.peer, reason: error })
      return json(status, { error })
    }
    if (mayBePage(request, host)) return refuse(403, pageRefused(request))
    const isRead = operatorKey === undefined || request.method === 'GET'
    const admitted = isRead ? ANYBODY : admit(request, { host, key: operatorKey })
    if (!admitted.ok) return refuse(admitted.status, admitted.reason)
    try {
      return await answer(request, { ...gateway, sandbox }, { ...admitted.by, from: request.peer })
    } catch (error) {
      if (error instanceof SandboxRequestError) return json(400, { error: error.message, field: error.field })
      // Whoever asks here may read what went wrong; no error of the gateway holds a card number.
      return json(500, { error: String(error) })
    }
  }
}

async function answer(request: GatewayRequest, gateway: SandboxGateway, by: Operator): Promise<GatewayReply> {
  const { method, url, body } = request
  const [path = '', query = ''] = url.split('?')
  const below = path.startsWith(BASE) ? path.slice(BASE.length) : undefined
  const here = below === undefined ? [] : ALL.filter((route) => route.path.test(below))
  const route = here.find((each) => each.method === method)
  if (route === undefined) return here.length > 0 ? otherMethod(here) : nothingHere()
  const [, id = ''] = route.path.exec(below ?? '') ?? []
  const said = await route.answer({ id, query: new URLSearchParams(query), body, by }, gateway)
  if (method === 'POST' && route.isRecorded === true) await gateway.sandbox.record(`${route.method} ${path}`, by)
  return json(said.status ?? 200, said.body)
}

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
