import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { stringify } from 'node:querystring'
import { hmacKey, type Parameter, signatureBaseString, signOAuth } from '@tallystick/signing'
import OAuth1a from 'oauth-1.0a'

/** A realistic payout to a card with 25 fields. */
export const payout: readonly Parameter[] = Object.entries({
  client_orderid: 'payout-20230915-000481x',
  amount: '1250.75',
  currency: 'EUR',
  order_desc: 'Winnings of round 17 (paid weekly)',
  ipaddress: '203.0.113.25',
  purpose: 'payout',
  credit_card_number: '4111111111111111',
  expire_month: '12',
  expire_year: '2030',
  card_printed_name: 'JOHN A SMITH',
  first_name: 'John',
  last_name: 'Smith',
  middle_name: 'Ada',
  ssn: '1234',
  birthday: '19800102',
  address1: '100 Main St, Apt. 4',
  city: 'Zürich',
  state: 'ZH',
  zip_code: '8001',
  country: 'CH',
  phone: '+41441234567',
  email: 'john.smith@example.com',
  server_callback_url: 'https://shop.example.com/callbacks/payout?shop=12',
  redirect_url: 'https://shop.example.com/done',
  merchant_data: 'round=17;player=481',
})

export const url = 'https://gate.example.com/paynet/api/v2/payout/2296'
export const consumerKey = 'shop-merchant'
export const timestamp = 1_700_000_000
export const nonce = '5f2e3a1c9b8d4e7fa0b1c2d3e4f50617'
export const secret = '11111111-1111-1111-1111-111111111111'

/** The signed parts of a request. */
type Sent = { readonly authorization: string; readonly body: string }

/** Signs the payout with 25 fields, from pairs to header and body. */
type Signer = () => Sent

/** The signing parts of the two libraries without types. */
type OAuthSign = { hmacsign(method: string, url: string, parameters: object, secret: string): string }
type OAuth = {
  readonly OAuth: new (
    ...options: readonly (string | null)[]
  ) => {
    _getNonce: () => string
    _getTimestamp: () => number
    _prepareParameters(token: null, secret: null, method: string, url: string, extra: object): object
    _buildAuthorizationHeaders(parameters: object): string
  }
}
/** The signer inside a client, which its package does not export by name. */
type TwitterSigner = {
  readonly OAuth1Helper: new (options: {
    readonly consumerKeys: { key: string; secret: string }
  }) => {
    getNonce: () => string
    getTimestamp: () => number
    authorize(request: { method: string; url: string; data: object }): object
    toHeader(info: object): { readonly Authorization: string }
  }
}

const require = createRequire(import.meta.url)
const oauthSign: OAuthSign = require('oauth-sign')
const { OAuth }: OAuth = require('oauth')
const { OAuth1Helper }: TwitterSigner = require('twitter-api-v2/dist/cjs/client-mixins/oauth1.helper.js')

/** What the other libraries expect in place of pairs. */
const recordOf = (pairs: typeof payout): Record<string, string> => Object.fromEntries(pairs)
/** The body holds the protocol's parameters as well (specification part 5.2). Two of the libraries use this encoder, Node's fastest. */
const bodyOf = (data: Readonly<Record<string, string>>) => stringify({ ...data, ...protocol })
const protocol = {
  oauth_consumer_key: consumerKey,
  oauth_nonce: nonce,
  oauth_signature_method: 'HMAC-SHA1',
  oauth_timestamp: String(timestamp),
  oauth_version: '1.0',
}

function ours(): Signer {
  const request = { httpMethod: 'POST', url, parameters: payout, consumerKey, nonce, timestamp } as const
  const input = { ...request, method: 'HMAC-SHA1', key: hmacKey(secret) } as const
  return () => signOAuth(input)
}

function oauth1a(): Signer {
  const signer = new OAuth1a({
    consumer: { key: consumerKey, secret },
    signature_method: 'HMAC-SHA1',
    hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
  })
  signer.getNonce = () => nonce
  signer.getTimeStamp = () => timestamp
  return () => {
    const data = recordOf(payout)
    const authorized = signer.authorize({ url, method: 'POST', data })
    return { authorization: signer.toHeader(authorized).Authorization, body: bodyOf(data) }
  }
}

/** This library only makes the signature; the header is written as its users write it. */
function signedByOAuthSign(): Signer {
  return () => {
    const parameters = { ...recordOf(payout), ...protocol }
    const signature = oauthSign.hmacsign('POST', url, parameters, secret)
    const header = Object.entries({ ...protocol, oauth_signature: signature })
    const authorization = `OAuth ${header.map(([name, value]) => `${name}="${encodeURIComponent(value)}"`).join(',')}`
    return { authorization, body: stringify(parameters) }
  }
}

function signedByOAuth(): Signer {
  const signer = new OAuth(null, null, consumerKey, secret, '1.0', null, 'HMAC-SHA1')
  signer._getNonce = () => nonce
  signer._getTimestamp = () => timestamp
  return () => {
    const data = recordOf(payout)
    const parameters = signer._prepareParameters(null, null, 'POST', url, data)
    return { authorization: signer._buildAuthorizationHeaders(parameters), body: bodyOf(data) }
  }
}

function signedByTwitterApi(): Signer {
  const signer = new OAuth1Helper({ consumerKeys: { key: consumerKey, secret } })
  signer.getNonce = () => nonce
  signer.getTimestamp = () => timestamp
  return () => {
    const data = recordOf(payout)
    const info = signer.authorize({ method: 'POST', url, data })
    return { authorization: signer.toHeader(info).Authorization, body: bodyOf(data) }
  }
}

/** All signers. Each is checked below to make the signature that `createHmac` makes. */
export const signers = {
  ours: ours(),
  'oauth-1.0a': oauth1a(),
  'oauth-sign': signedByOAuthSign(),
  oauth: signedByOAuth(),
  'twitter-api-v2': signedByTwitterApi(),
}

const baseString = signatureBaseString({
  httpMethod: 'POST',
  url,
  parameters: [...payout, ...Object.entries(protocol)],
})
const signature = createHmac('sha1', `${secret}&`).update(baseString).digest('base64')
for (const [name, sign] of Object.entries(signers)) {
  const { authorization, body } = sign()
  assert.ok(authorization.includes(`oauth_signature="${encodeURIComponent(signature)}"`), `${name} signs differently`)
  const sent = new URLSearchParams(body)
  const inBody = [...payout, ...Object.entries(protocol)]
  assert.equal(sent.size, inBody.length, `${name} sends more or less`)
  for (const [field, value] of inBody) assert.equal(sent.get(field), value, `${name} sends something else`)
}
