import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import type { Random } from '@tallystick/proof-kit'
import type { OAuthEvidence } from '../../src/internal.ts'

/** An independent sender, written from RFC 5849 without the package. Each of its steps can be replaced by a mistake. */

export type Pair = [string, string]

const pem = (bits: number) =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
export const ours = pem(2048)
export const another = pem(2048)
export const short = pem(1024)

/** Encodes by hand and byte by byte, so that nothing is shared with the code under test. */
export function escapeBytes(text: string, keep: RegExp): string {
  return Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte)
    return byte < 128 && keep.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
export const rfc3986 = (text: string) => escapeBytes(text, /[A-Za-z0-9\-._~]/)

export type Sender = {
  random: Random
  method: 'HMAC-SHA1' | 'RSA-SHA256'
  /** The URL that is sent to, and the one that is signed. */
  url: string
  signedUrl: string
  httpMethod: string
  query: Pair[]
  body: Pair[]
  oauth: Pair[]
  secret: string
  /** What the HMAC is keyed with. */
  hmacKey: string
  inner: (text: string) => string
  outer: (text: string) => string
  sort: (pairs: Pair[]) => Pair[]
  digest: string
  privateKey: string
}

const byteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
function rightSort(pairs: Pair[]): Pair[] {
  return pairs.toSorted(([a, x], [b, y]) => byteOrder(rfc3986(a), rfc3986(b)) || byteOrder(rfc3986(x), rfc3986(y)))
}

export function sender(random: Random, isRsa = random.below(4) === 0): Sender {
  const method = isRsa ? 'RSA-SHA256' : 'HMAC-SHA1'
  const secret = random.text(24, 'ABCDEF0123456789-')
  const url = `https://gate.example.com/paynet/api/v2/payout/${random.digits(4)}`
  const body: Pair[] = [
    ['client_orderid', `inv${random.digits(6)}`],
    ['amount', `${random.digits(2)}.${random.digits(2)}`],
    ['order_desc', `shoes (red) & more! ${random.text(3, "*'~é€ +")}*`],
    ['first_name', random.pick(['Ann Lee', 'Zoë Q', "O'Neil J"])],
    ['credit_card_number', '4111111111111111'],
    ['cvv2', '973'],
  ]
  const oauth: Pair[] = [
    ['oauth_consumer_key', `shop${random.digits(3)}`],
    ['oauth_nonce', random.text(22, 'abcdefghij0123456789')],
    ['oauth_signature_method', method],
    ['oauth_timestamp', '1669966913'],
    ['oauth_version', '1.0'],
  ]
  return {
    random,
    method,
    url,
    signedUrl: url,
    httpMethod: 'POST',
    query: [],
    body,
    oauth,
    secret,
    hmacKey: `${secret}&`,
    inner: rfc3986,
    outer: rfc3986,
    sort: rightSort,
    digest: isRsa ? 'sha256' : 'sha1',
    privateKey: ours.privateKey,
  }
}

export type Signed = { signed?: Partial<Sender>; evidence?: object; signature?: string }

/** RFC 5849 section 3.4.1.1, with the steps of the sender. */
export function baseStringOf({ httpMethod, signedUrl, query, body, oauth, sort, inner, outer }: Sender): string {
  const text = sort([...query, ...body, ...oauth])
    .map(([a, b]) => `${inner(a)}=${inner(b)}`)
    .join('&')
  return `${httpMethod}&${outer(signedUrl)}&${outer(text)}`
}

/** Sends what `sends` says, but signs it with the changes of `signed`. */
export function send(sends: Sender, { signed = {}, evidence = {}, signature: given }: Signed = {}): OAuthEvidence {
  const how = { ...sends, ...signed }
  const baseString = baseStringOf(how)
  const signature =
    given ??
    (how.method === 'HMAC-SHA1'
      ? createHmac(how.digest, how.hmacKey).update(baseString).digest('base64')
      : createSign(how.digest).update(baseString).sign(how.privateKey, 'base64'))
  const header: Pair[] = [...sends.oauth, ['oauth_signature', signature]]
  const query = sends.query.map(([a, b]) => `${rfc3986(a)}=${rfc3986(b)}`).join('&')
  const key =
    sends.method === 'HMAC-SHA1'
      ? { method: sends.method, secret: sends.secret }
      : { method: sends.method, publicKey: ours.publicKey }
  return {
    ...key,
    httpMethod: 'POST',
    url: query === '' ? sends.url : `${sends.url}?${query}`,
    authorization: `OAuth ${header.map(([a, b]) => `${a}="${rfc3986(b)}"`).join(', ')}`,
    parameters: sends.body,
    now: 1_669_966_913,
    ...evidence,
  }
}
