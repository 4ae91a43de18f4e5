import { catalogue, type OperationKey, parseForm } from '@tallystick/core'
import { type GatewayRequest, matchPath } from '@tallystick/core/internal'
import {
  type Acquirer,
  createGateway,
  type Gateway,
  type Ids,
  type Recording,
  simulator,
  type VirtualClock,
} from '@tallystick/gateway'
import { advancingClock } from '@tallystick/gateway/internal'
import type { Served, ServedReply, World } from '../../world.ts'

/** What the shop is set up with. */
export interface ShopSettings {
  readonly baseUrl: string
  readonly login: string
  readonly controlKey: string
  readonly endpointId: string
}

/** A request of the shop to the interface. */
export interface Call {
  readonly operation: OperationKey
  readonly fields: ReadonlyMap<string, string>
  readonly request: GatewayRequest
  /** The shop has hung up. */
  readonly gone: AbortSignal
}

/** The gateway's own reply, to this request or to a changed one. */
export type Proceed = (request?: GatewayRequest) => Promise<ServedReply>
export type Intercept = (call: Call, proceed: Proceed) => Promise<ServedReply>

/** Brings a callback to the shop. */
export type Deliver = (url: string, method?: 'GET' | 'POST') => Promise<Delivered>

export interface Delivered {
  /** 0: there was no answer. */
  readonly status: number
  readonly failure?: string
}

/** What becomes of a callback that the gateway sends. */
export type InterceptCallback = (url: string, deliver: Deliver) => Promise<Delivered>

/** How the orders of a trial are known when they come. */
export interface Recognition {
  /** What the shop calls the order, once that is known. */
  readonly names: () => readonly string[]
  /** An amount that no other trial has, if the shop takes the amount from us. */
  readonly amount: string | undefined
  /** Whether the shop was just asked to begin a payment. */
  readonly isBeginning: () => boolean
}

export interface TrialGatewayOptions extends Recognition {
  readonly acquirer?: Acquirer | undefined
  /** How far the gateway's clock is from this machine's. */
  readonly clockOffsetMs?: number | undefined
  /** The gateway's ids have 19 digits, and are JSON numbers. */
  readonly hasLongIds?: boolean | undefined
  readonly isVerbose?: boolean | undefined
  readonly note: (line: string) => void
}

/** The gateway of one trial. Every trial has its own, with its own time, behind the one address that the shop knows. */
export interface TrialGateway {
  readonly gateway: Gateway<VirtualClock>
  readonly calls: Call[]
  /** What came to an address that is none of the gateway's. */
  readonly elsewhere: GatewayRequest[]
  intercept: Intercept
  interceptCallback: InterceptCallback
  /** Every callback that the gateway has sent, in order. */
  readonly callbacks: string[]
  readonly close: () => Promise<void>
}

export interface ShopSandbox {
  readonly settings: ShopSettings
  readonly origin: string
  readonly open: (options: TrialGatewayOptions) => TrialGateway
  readonly deliver: Deliver
  /** Orders that no trial has begun. */
  readonly strays: readonly string[]
  readonly close: () => Promise<void>
}

const BASE_PATH = '/paynet'

/** Operations that open an order: those whose request may have a callback address. */
const OPENING: ReadonlySet<OperationKey> = new Set(
  (Object.keys(catalogue) as OperationKey[]).filter((key) => 'serverCallbackUrl' in catalogue[key].request.fields),
)

export function opens({ operation }: Pick<Call, 'operation'>): boolean {
  return OPENING.has(operation)
}

interface Known {
  readonly trial: TrialGateway
  readonly options: TrialGatewayOptions
  readonly handle: (request: GatewayRequest, gone: AbortSignal) => Promise<ServedReply>
}

/** Starts what the shop takes for its gateway. @throws UsageError if the port is taken */
export async function startSandbox(
  { login, controlKey, endpointId }: Omit<ShopSettings, 'baseUrl'>,
  { port, recording, world }: { readonly port: number; readonly recording: Recording; readonly world: World },
): Promise<ShopSandbox> {
  const open: Known[] = []
  /** By the ids of orders of either half, and by the tokens of pages. */
  const known = new Map<string, Known>()
  const strays: string[] = []
  const served: Served = await world.serve((request, gone) => route(request, gone), port)
  const settings = { baseUrl: served.origin + BASE_PATH, login, controlKey, endpointId }
  const deliver: Deliver = (url, method = 'GET') => delivered(url, method, world)

  async function route(request: GatewayRequest, gone: AbortSignal): Promise<ServedReply> {
    const found = trialOf(request)
    if (found === undefined) return NOT_FOUND
    return await found.handle(request, gone)
  }

  function trialOf(request: GatewayRequest): Known | undefined {
    const path = request.url.replace(/\?.*/s, '')
    const operation = operationAt(path)
    if (operation === undefined) {
      const segments = path.split('/')
      return segments.map((segment) => known.get(segment)).find((each) => each !== undefined) ?? open.at(-1)
    }
    const fields = fieldsOf(request)
    const ids = [...ID_FIELDS].flatMap((name) => fields.get(name) ?? [])
    const byId = ids.map((id) => known.get(id)).find((each) => each !== undefined)
    if (byId !== undefined) return byId
    const found = recognized(fields) ?? (OPENING.has(operation) ? undefined : open.at(-1))
    if (found === undefined) strays.push(`${operation} ${ids.join(' ')}`)
    else if (OPENING.has(operation)) for (const id of ids) known.set(id, found)
    return found
  }

  /** By what the shop calls the order, by its amount, or because only one trial has begun a payment. */
  function recognized(fields: ReadonlyMap<string, string>): Known | undefined {
    const values = [...fields.values()]
    const byName = open.find(({ options }) => options.names().some((name) => values.some((each) => holds(each, name))))
    if (byName !== undefined) return byName
    const amount = fields.get('amount')
    const byAmount = open.filter(({ options }) => options.amount !== undefined && options.amount === amount)
    if (byAmount.length === 1) return byAmount[0]
    const beginning = (byAmount.length > 1 ? byAmount : open).filter(({ options }) => options.isBeginning())
    return beginning.findLast(({ trial }) => !trial.calls.some(opens)) ?? beginning.at(-1)
  }

  function openTrial(options: TrialGatewayOptions): TrialGateway {
    const { clockOffsetMs = 0, acquirer = simulator(), hasLongIds = false, note } = options
    const clock = advancingClock({ now: () => world.now() + clockOffsetMs, schedule: world.schedule })
    const gateway = createGateway({
      publicUrl: settings.baseUrl,
      merchants: [{ login, controlKey, endpoints: [{ id: endpointId }] }],
      sandbox: true,
      recorder: recording,
      replyFormat: 'classic',
      // The worst that a gateway may do with a payment that is sent again under the same id [G13-29].
      allowRepeats: true,
      acquirer,
      clock,
      ...(hasLongIds ? { ids: longIds(world) } : {}),
      sendCallback: async (url) => {
        trial.callbacks.push(url)
        const answer = await trial.interceptCallback(url, noted)
        if (answer.status === 0) throw Object.assign(new Error(), { code: answer.failure ?? 'NOT_SENT' })
        return answer
      },
    })
    const noted: Deliver = async (url, method = 'GET') => {
      const answer = await deliver(url, method)
      note(`gateway -> shop  callback ${method} ${said(url)}: ${answer.failure ?? answer.status}`)
      return answer
    }
    const trial: TrialGateway = {
      gateway,
      calls: [],
      elsewhere: [],
      callbacks: [],
      intercept: (_call, proceed) => proceed(),
      interceptCallback: (url, send) => send(url),
      close: async () => {
        open.splice(open.indexOf(entry), 1)
        trial.interceptCallback = async () => ({ status: 0 })
        await gateway.close()
      },
    }
    const handle: Known['handle'] = async (request, gone) => {
      const operation = operationAt(request.url.replace(/\?.*/s, ''))
      const proceed: Proceed = async (changed = request) => {
        const reply = await gateway.handle(changed)
        for (const each of [...idsIn(reply), ...tokensIn(reply)]) known.set(each, entry)
        return reply
      }
      if (operation === undefined) {
        if (!request.url.startsWith(BASE_PATH)) trial.elsewhere.push(request)
        return await proceed()
      }
      const call: Call = { operation, fields: fieldsOf(request), request, gone }
      trial.calls.push(call)
      note(`shop -> gateway  ${operation} ${call.fields.get('client_orderid') ?? ''}${moneyOf(call)}`)
      const reply = inForm(await trial.intercept(call, proceed), options)
      const answered = reply.cut === undefined ? `${reply.status} ${shortly(reply)}` : 'cut off'
      note(`gateway -> shop  ${operation}: ${gone.aborted ? 'the shop has hung up' : answered}`)
      return reply
    }
    const entry: Known = { trial, options, handle }
    open.push(entry)
    return trial
  }

  return {
    settings,
    origin: served.origin,
    open: openTrial,
    deliver,
    strays,
    close: served.close,
  }
}

/** Beyond what a float holds. */
function longIds({ nonce }: World): Ids {
  return {
    orderId: () => `1${BigInt(`0x${nonce().replaceAll('-', '').slice(0, 14)}`)}`.padEnd(19, '7').slice(0, 19),
    serialNumber: nonce,
    pageToken: nonce,
  }
}

const NOT_FOUND: ServedReply = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found\n' }

const ID_FIELDS = ['client_orderid', 'client-orderid', 'client-order-id', 'orderid'] as const

function operationAt(path: string): OperationKey | undefined {
  return path.startsWith(BASE_PATH) ? matchPath(path.slice(BASE_PATH.length))?.key : undefined
}

function fieldsOf({ body }: GatewayRequest): ReadonlyMap<string, string> {
  try {
    return new Map(parseForm(body))
  } catch {
    return new Map()
  }
}

/** A short name may be a part of anything: it has to stand alone. */
export function holds(value: string, name: string): boolean {
  const at = value.indexOf(name)
  if (at < 0) return false
  const isAlone = (sign: string | undefined) => sign === undefined || !/[a-z\d]/i.test(sign)
  return isAlone(value[at - 1]) && isAlone(value[at + name.length])
}

const TOKEN = /\/(?:form|3ds\/[a-z]+|acs\/[a-z]+)\/([\w-]{16,})/g

function tokensIn({ headers, body }: ServedReply): readonly string[] {
  const text = `${headers['location'] ?? ''} ${typeof body === 'string' ? decodeURIComponentSafely(body) : ''}`
  return [...text.matchAll(TOKEN)].flatMap(([, token]) => token ?? [])
}

/** A classic reply has its addresses encoded. */
function decodeURIComponentSafely(text: string): string {
  return text.replace(/%2F/gi, '/')
}

function idsIn({ body }: ServedReply): readonly string[] {
  return typeof body === 'string'
    ? [...body.matchAll(/paynet-order-id"?[=:]"?(\d+)/g)].flatMap(([, id]) => id ?? [])
    : []
}

/** How the gateway of a trial writes its replies. */
function inForm(reply: ServedReply, { isVerbose = false, hasLongIds = false }: TrialGatewayOptions): ServedReply {
  const { body } = reply
  if (typeof body !== 'string') return reply
  const text = hasLongIds ? body.replace(/("paynet-order-id":)"(\d+)"/, '$1$2') : body
  // Only one trial is about the line feeds of a classic reply: a reader that does not trim would fail in every other.
  return { ...reply, body: isVerbose || !text.startsWith('type=') ? text : text.replaceAll('\n', '') }
}

function moneyOf({ fields }: Call): string {
  const amount = fields.get('amount')
  return amount === undefined ? '' : ` ${amount} ${fields.get('currency') ?? ''}`
}

function shortly({ headers, body }: ServedReply): string {
  if (headers['location'] !== undefined) return `-> ${headers['location']}`
  if (typeof body !== 'string') return headers['content-encoding'] ?? ''
  const status = /(?:^|[&"{,])status"?[=:]"?([\w-]+)/.exec(body)?.[1]
  const error = /error-message"?[=:]"?([^"&]*)/.exec(body)?.[1]
  return [/type"?[=:]"?([\w-]+)/.exec(body)?.[1], status, error].filter(Boolean).join(' ')
}

function said(url: string): string {
  const { searchParams } = new URL(url)
  return ['status', 'type', 'amount', 'client_orderid'].map((name) => searchParams.get(name) ?? '-').join(' ')
}

/** As long as a gateway waits. */
const CALLBACK_TIMEOUT_MS = 15_000

async function delivered(url: string, method: 'GET' | 'POST', { exchange }: World): Promise<Delivered> {
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await exchange({
    method,
    timeoutMs: CALLBACK_TIMEOUT_MS,
    ...(method === 'GET' ? { url } : { url: address, headers: form, body: query }),
  })
  return 'failure' in answer ? { status: 0, failure: answer.failure } : { status: answer.status }
}
