import { createHmac } from 'node:crypto'
import type { Random } from '@tallystick/proof-kit'

export interface SignedWire {
  readonly httpMethod: string
  readonly url: string
  readonly body: string
  readonly authorization: string
}

/** What an attacker has: a request that they saw, another one, and whatever is public. */
interface Loot {
  readonly seen: SignedWire
  readonly other: SignedWire
  readonly publicPem: string
}

type Mutation = (loot: Loot, random: Random) => Partial<SignedWire>

export const WIRE_MUTATIONS: Readonly<Record<string, Mutation>> = {
  'bit of the body': ({ seen }, random) => ({ body: flipBit(seen.body, random) }),
  'bit of the header': ({ seen }, random) => ({ authorization: flipBit(seen.authorization, random) }),
  'bit of the URL': ({ seen }, random) => ({ url: flipBit(seen.url, random) }),
  'character lost': ({ seen }, random) => ({ body: without(seen.body, random) }),
  'character lost in the header': ({ seen }, random) => ({ authorization: without(seen.authorization, random) }),
  'character gained': ({ seen }, random) => ({ body: withMore(seen.body, random) }),
  'character gained in the header': ({ seen }, random) => ({ authorization: withMore(seen.authorization, random) }),
  'parameter gained': ({ seen }, random) => ({
    body: `${seen.body}&${random.pick(['amount=1', 'oauth_token=a', 'a', '=', 'oauth_nonce=b'])}`,
  }),
  'parameter lost': ({ seen }, random) => ({ body: dropOne(seen.body, '&', random) }),
  'header parameter lost': ({ seen }, random) => ({
    authorization: `OAuth ${dropOne(seen.authorization.slice(6), ', ', random)}`,
  }),
  'header parameter twice': ({ seen }, random) => ({
    authorization: `${seen.authorization}, ${random.pick(seen.authorization.slice(6).split(', '))}`,
  }),
  'body of another request': ({ other }) => ({ body: other.body }),
  'header of another request': ({ other }) => ({ authorization: other.authorization }),
  'signature of another request': ({ seen, other }) => withSignature(seen, signatureOf(other)),
  'bit of the signature': ({ seen }, random) => withSignature(seen, flipBytes(signatureOf(seen), random)),
  'signature cut short': ({ seen }, random) =>
    withSignature(seen, signatureOf(seen).slice(0, random.below(signatureOf(seen).length))),
  'signature empty': ({ seen }) => withSignature(seen, ''),
  'signature of zeros': ({ seen }) =>
    withSignature(seen, Buffer.alloc(Buffer.from(signatureOf(seen), 'base64').length).toString('base64')),
  'signature doubled': ({ seen }) => withSignature(seen, signatureOf(seen) + signatureOf(seen)),
  'signature respelled': ({ seen }, random) => withSignature(seen, random.pick(respelled(signatureOf(seen)))),
  'method PLAINTEXT': ({ seen }) => withSignature(named(seen, 'PLAINTEXT'), 'secret&'),
  'method swapped': ({ seen }, random) =>
    named(seen, random.pick(['HMAC-SHA1', 'RSA-SHA256', 'RSA-SHA1', 'HMAC-SHA256', 'none', ''])),
  'HMAC keyed with the public key': ({ seen, publicPem }, random) => keyedWithPublicKey(seen, publicPem, random),
  'other path': ({ seen }, random) => ({
    url: seen.url.replace(/^([a-z]+:\/\/[^/?]+)/i, `$1/${random.pick(['x', '.', '%2e'])}`),
  }),
  'other HTTP method': ({ seen }) => ({ httpMethod: seen.httpMethod.toUpperCase() === 'GET' ? 'POST' : 'GET' }),
  'other timestamp': ({ seen }, random) => ({
    authorization: seen.authorization.replace(/(timestamp="\d{9})\d/, `$1${random.below(10)}`),
  }),
}

function flipBit(text: string, random: Random): string {
  const at = random.below(Math.max(1, text.length))
  const flipped = String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << random.below(8)))
  return text.slice(0, at) + flipped + text.slice(at + 1)
}

function respelled(base64: string): readonly string[] {
  return [base64.replaceAll('=', ''), `${base64} `, base64.replaceAll('+', '-').replaceAll('/', '_')]
}

function flipBytes(base64: string, random: Random): string {
  const bytes = Buffer.from(base64, 'base64')
  const at = random.below(bytes.length)
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.below(8)), at)
  return bytes.toString('base64')
}

function without(text: string, random: Random): string {
  const at = random.below(Math.max(1, text.length))
  return text.slice(0, at) + text.slice(at + 1)
}

function withMore(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + random.pick(Array.from('aA0&=+%," \0é')) + text.slice(at)
}

function dropOne(text: string, separator: string, random: Random): string {
  const pieces = text.split(separator)
  return pieces.toSpliced(random.below(pieces.length), 1).join(separator)
}

function signatureOf({ authorization }: SignedWire): string {
  return unescaped(/oauth_signature="([^"]*)"/.exec(authorization)?.[1] ?? '')
}

function withSignature(wire: SignedWire, signature: string): SignedWire {
  const authorization = wire.authorization.replace(
    /oauth_signature="[^"]*"/,
    `oauth_signature="${encodeURIComponent(signature)}"`,
  )
  return { ...wire, authorization }
}

function named(wire: SignedWire, method: string): SignedWire {
  return {
    ...wire,
    authorization: wire.authorization.replace(/oauth_signature_method="[^"]*"/, `oauth_signature_method="${method}"`),
  }
}

/** The confusion of methods: the public key is known, and HMAC takes any text for a key. */
function keyedWithPublicKey(seen: SignedWire, publicPem: string, random: Random): SignedWire {
  const key = random.pick([publicPem, publicPem.trim(), `${encodeURIComponent(publicPem)}&`])
  const signature = createHmac('sha1', key).update(seen.body).digest('base64')
  return withSignature(random.below(2) === 0 ? named(seen, 'HMAC-SHA1') : seen, signature)
}

/** Percent-decoded, or as it is when it cannot be. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
