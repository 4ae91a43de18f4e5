import {
  catalogue,
  controlTerms,
  defineProfile,
  type Operation,
  type Pair,
  parseForm,
  serializeForm,
} from '@tallystick/core'
import { type GatewayReply, type GatewayRequest, matchPath, oauthMethodOf } from '@tallystick/core/internal'
import { createGateway, type GatewayOptions, listen, type SendCallback } from '@tallystick/gateway'
import { hmacKey, rsaPrivateKey, signControl, signOAuth } from '@tallystick/signing'
import { testKeyPair } from '@tallystick/testing'
import { KEY } from '../../try-command.ts'

type Forms = Map<string, string>
type Instead = (reply: Record<string, unknown>, request: GatewayRequest) => void

/** How a gateway differs from a right one. */
export interface Flaw {
  /** What it takes a request for, by the last word of its path. It verifies no signature of such a request. */
  readonly takes?: { readonly path: string; readonly as: (form: Forms) => void }
  /** What it says instead, in the fields of its reply. */
  readonly says?: { readonly path: string; readonly instead: Instead }
  /** What it answers whatever it is sent, by the last word of the path. */
  readonly answers?: { readonly path: string; readonly with: GatewayReply }
  /** What a proxy in between answers instead of passing the reply on. `count`: 1 for the first request. */
  readonly between?: (request: GatewayRequest, reply: GatewayReply, count: number) => GatewayReply | undefined
  readonly options?: Partial<GatewayOptions>
}

export const PAGE: GatewayReply = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }

/** A gateway on a port, with a flaw. */
export async function flawedGateway({ takes, says, answers, between, options }: Flaw) {
  let count = 0
  const isAt = (path: string, { url }: GatewayRequest) => url.includes(`/${path}/`)
  const listener = await listen(async (request) => {
    const taken = takes !== undefined && isAt(takes.path, request) ? signedAnew(request, takes.as, baseUrl) : request
    if (answers !== undefined && isAt(answers.path, request)) return answers.with
    const reply = await gateway.handle(taken)
    const instead = between?.(request, reply, ++count)
    if (instead !== undefined) return instead
    return says !== undefined && isAt(says.path, request)
      ? saidOtherwise(reply, (said) => says.instead(said, request))
      : reply
  })
  const baseUrl = `${listener.origin}/paynet`
  const gateway = createGateway({
    publicUrl: baseUrl,
    merchants: [{ login: 'shop', controlKey: KEY, publicKey: testKeyPair().publicKey, endpoints: [{ id: '253' }] }],
    sandbox: true,
    ...options,
  })
  return {
    baseUrl,
    close: async () => {
      await listener.close()
      await gateway.close()
    },
  }
}

/** What the gateway would have got if the sender had meant it. */
function signedAnew(request: GatewayRequest, change: (form: Forms) => void, baseUrl: string): GatewayRequest {
  const route = matchPath(request.url.replace('/paynet', ''))
  if (route === undefined) return request
  const form = new Map(parseForm(request.body).filter(([name]) => !/^(?:control|oauth_.*)$/.test(name)))
  change(form)
  const { auth, request: model }: Operation = catalogue[route.key]
  const pairs: readonly Pair[] = [...form]
  const profile = defineProfile({ baseUrl })
  if (auth.scheme === 'oauth') {
    const what = { httpMethod: 'POST', url: baseUrl.replace('/paynet', '') + request.url, parameters: pairs }
    const fresh = { consumerKey: 'shop', nonce: `n${Math.random()}`, timestamp: Math.floor(Date.now() / 1000) }
    const { authorization, body } = signOAuth({ ...signer(oauthMethodOf(auth, profile)), ...what, ...fresh })
    return { ...request, headers: { ...request.headers, authorization }, body }
  }
  const made = controlTerms({ auth, model, endpointId: route.endpoint.id, pairs, profile })
  const control = made.ok ? signControl({ terms: made.terms, key: KEY }) : ''
  return { ...request, body: serializeForm([...pairs, ['control', control]]) }
}

function signer(method: 'HMAC-SHA1' | 'RSA-SHA256') {
  if (method === 'HMAC-SHA1') return { method, key: hmacKey(KEY) } as const
  return { method, key: rsaPrivateKey(testKeyPair().privateKey) } as const
}

function saidOtherwise(reply: GatewayReply, change: (reply: Record<string, unknown>) => void): GatewayReply {
  const said: Record<string, unknown> = JSON.parse(reply.body)
  change(said)
  return { ...reply, body: JSON.stringify(said) }
}

/** Sends callbacks with a control of nobody. */
export const forgedCallbacks: SendCallback = async (url) => {
  const { status } = await fetch(url.replace(/control=[0-9a-f]{40}/, `control=${'0'.repeat(40)}`))
  return { status }
}
