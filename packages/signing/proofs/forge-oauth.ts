import type { Random } from '@tallystick/proof-kit'
import {
  decodeParameters,
  hmacKey,
  type Parameter,
  parseAuthorizationHeader,
  rsaPrivateKey,
  rsaPublicKey,
  SigningError,
  signOAuth,
  verifyOAuth,
} from '../src/index.ts'
import type { OAuthSigner, OAuthVerifier } from '../src/oauth/signature-methods.ts'
import { privatePem, publicPem } from '../test/rsa-key-pair.ts'
import type { Judgement } from './forge-control.ts'
import { anyText, anyWireRequest } from './random-request.ts'
import { type SignedWire, unescaped, WIRE_MUTATIONS } from './wire-mutations.ts'

/** How often one signed request is mutated before the next is made. */
const MUTANTS = 50
const NOW = 1_700_000_000
const rsa = { private: rsaPrivateKey(privatePem), public: rsaPublicKey(publicPem) }

type Ends = { readonly signer: OAuthSigner; readonly verifier: OAuthVerifier }

/** Mutants of requests that were signed with that method, judged. */
export function* forgeOAuth(method: 'HMAC-SHA1' | 'RSA-SHA256', count: number, random: Random): Generator<Judgement> {
  const kinds = Object.entries(WIRE_MUTATIONS)
  for (let done = 0; done < count; ) {
    const { signer, verifier } = endsOf(method, random)
    const [seen, other] = [sign(random, signer), sign(random, signer)]
    if (!isAccepted(seen, verifier)) throw new Error(`the right request was refused: ${JSON.stringify(seen)}`)
    for (let mutant = 0; mutant < MUTANTS && done < count; mutant++, done++) {
      const [kind, mutate] = random.pick(kinds)
      const mutated = { ...seen, ...mutate({ seen, other, publicPem }, random) }
      const isChanged = meaningOf(mutated) !== meaningOf(seen) && meaningOf(mutated) !== meaningOf(other)
      yield { kind, isChanged, isAccepted: isAccepted(mutated, verifier) }
    }
  }
}

function endsOf(method: 'HMAC-SHA1' | 'RSA-SHA256', random: Random): Ends {
  if (method === 'RSA-SHA256') return { signer: { method, key: rsa.private }, verifier: { method, key: rsa.public } }
  const both = { method, key: hmacKey(`s${anyText(random, 20)}`) }
  return { signer: both, verifier: both }
}

function sign(random: Random, signer: OAuthSigner): SignedWire {
  const request = { ...anyWireRequest(random), timestamp: NOW - random.below(300) }
  const { authorization } = signOAuth({ ...request, ...signer, parameters: decodeParameters(request.body) })
  return { httpMethod: request.httpMethod, url: request.url, body: request.body, authorization }
}

/** The way of a gateway: read the header, verify. The body as it arrived and its parameters must get one verdict. */
function isAccepted({ authorization, body, httpMethod, url }: SignedWire, verifier: OAuthVerifier): boolean {
  const parsed = parseAuthorizationHeader(authorization)
  if (!parsed.ok) return false
  const received = { ...verifier, header: parsed.header, httpMethod, url, now: NOW }
  const parameters = decoded(body)
  const raw = verifyOAuth({ ...received, body }).ok
  const plain = parameters !== undefined && verifyOAuth({ ...received, parameters }).ok
  if (raw !== plain) throw new Error(`the raw body is ${raw ? 'accepted' : 'refused'}, its parameters are not: ${body}`)
  return plain
}

function decoded(body: string): readonly Parameter[] | undefined {
  try {
    return decodeParameters(body)
  } catch (error) {
    if (error instanceof SigningError && error.code === 'BAD_TEXT') return undefined
    throw error
  }
}

/** What a request says, read by nobody but this function, leniently: two requests that differ in it were not signed as one. */
function meaningOf({ httpMethod, url, body, authorization }: SignedWire): string {
  const header = Array.from(
    authorization.matchAll(/([^\s,="]+)\s*=\s*"([^"]*)"/g),
    ([, name = '', value = '']) => [name, unescaped(value)] as const,
  )
  const signature = header.find(([name]) => name === 'oauth_signature')?.[1] ?? ''
  const signedHeader = header.filter(([name]) => name !== 'oauth_signature' && name !== 'realm')
  const copies = new Set(signedHeader.map((pair) => JSON.stringify(pair)))
  const sent = pairsOf(body).filter((pair) => !(pair[0].startsWith('oauth_') && copies.has(JSON.stringify(pair))))
  return JSON.stringify([
    httpMethod.toUpperCase(),
    meaningOfUrl(url),
    inOrder(sent),
    inOrder(signedHeader),
    Buffer.from(signature, 'base64').toString('hex'),
  ])
}

/** Scheme, host and port as they count; path as text; query decoded. */
function meaningOfUrl(url: string): unknown {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([a-z]+):\/\/([^/?#]*)([^?#]*)\??([^#]*)/i.exec(url) ?? []
  const port = scheme.toLowerCase() === 'https' ? /:0*443$|:$/ : /:0*80$|:$/
  return [
    scheme.toLowerCase(),
    authority.toLowerCase().replace(port, '').replace(/:0+/, ':'),
    path || '/',
    inOrder(pairsOf(query)),
  ]
}

/** Behind an ampersand, since of a text that begins with a question mark `URLSearchParams` drops that. */
function pairsOf(text: string): (readonly [string, string])[] {
  return [...new URLSearchParams(`&${text}`)]
}

function inOrder(pairs: readonly (readonly string[])[]): string[] {
  return pairs.map((pair) => JSON.stringify(pair)).sort()
}
