import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { GatewayReply, GatewayRequest, MerchantOptions } from '../../src/index.ts'
import { FORMULAS } from './formulas.ts'

/** Signs requests from the words of the specification alone: nothing of core or signing is used. */

export type Fields = Readonly<Record<string, string>>

/** 2030-01-01T00:00:00Z in seconds. */
export const NOW = 1_893_456_000
export const BASE_URL = 'https://gate.example.com/paynet'

export interface Signer {
  readonly login: string
  readonly controlKey: string
  readonly endpointId: string
}

export const SHOP: Signer = {
  login: 'shop',
  controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20',
  endpointId: '1111',
}
export const RIVAL: Signer = {
  login: 'rival',
  controlKey: '0D7A3D7E-2C5B-4C6F-9E0B-6B1B7C8D9E0F',
  endpointId: '2222',
}

/** The shop has a second endpoint, 1112. RSA public keys in PEM. */
export function merchants(publicKeys: { shop?: string; rival?: string } = {}): MerchantOptions[] {
  const { shop, rival } = publicKeys
  const endpoints = [{ id: '1111' }, { id: '1112' }]
  return [
    { login: 'shop', controlKey: SHOP.controlKey, endpoints, ...(shop === undefined ? {} : { publicKey: shop }) },
    {
      login: 'rival',
      controlKey: RIVAL.controlKey,
      endpoints: [{ id: 2222n }],
      ...(rival === undefined ? {} : { publicKey: rival }),
    },
  ]
}

/** Made when a test file asks for them: no private key is ever part of the repository. */
export function rsaKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(), privateKey }
}

export function fieldsOf(reply: GatewayReply): Fields {
  return JSON.parse(reply.body) as Fields
}

/** Percent-encodes everything but letters, digits and `-._~` (RFC 3986). */
export function encode(text: string): string {
  const asBytes = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, asBytes)
}

export function form(fields: Fields): string {
  return Object.entries(fields)
    .map((pair) => pair.map(encode).join('='))
    .join('&')
}

/** A request as a caller that knows the interface sends it. */
export function post(path: string, body: string, headers: GatewayRequest['headers'] = {}): GatewayRequest {
  const usual = { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', url: `/paynet${path}`, headers: { ...usual, ...headers }, body }
}

/** SHA-1 over a formula that is written as in the Control column: `login + client_orderid + orderid + key`. */
export function control(formula: string, fields: Fields, { controlKey, endpointId }: Signer = SHOP): string {
  const values: Fields = { ...fields, endpointId, key: controlKey, amount: cents(fields['amount'] ?? '') }
  const terms = formula.split(' + ').map((name) => values[name] ?? '')
  return createHash('sha1').update(terms.join('')).digest('hex')
}

function cents(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.')
  return amount === '' ? '' : `${whole}${decimals.padEnd(2, '0')}`.replace(/^0+/, '')
}

export function controlled(path: string, formula: string, fields: Fields, signer: Signer = SHOP): GatewayRequest {
  return post(`${path}/${signer.endpointId}`, form({ ...fields, control: control(formula, fields, signer) }))
}

export interface OAuthSigning {
  readonly method: string
  readonly key: string | KeyObject
  readonly login?: string
  readonly nonce?: string
  readonly timestamp?: number
  /** Whether the body holds the `oauth_*` parameters as well, as the specification says. Default `true`. */
  readonly inBody?: boolean
  /** Signed like the fields, but sent as the query of the address. */
  readonly query?: Fields
  readonly baseUrl?: string
}

/** @param path with its endpoint id */
export function oauthSigned(path: string, fields: Fields, signing: OAuthSigning): GatewayRequest {
  const { login = 'shop', nonce = 'y3qlvMPky7g', timestamp = NOW, inBody = true, query = {} } = signing
  const protocol = {
    oauth_consumer_key: login,
    oauth_nonce: nonce,
    oauth_signature_method: signing.method,
    oauth_timestamp: String(timestamp),
    oauth_version: '1.0',
  }
  const pairs = [fields, query, protocol].flatMap((part) => Object.entries(part)).map((pair) => pair.map(encode))
  const sorted = pairs.sort((one, other) => (one.join('\0') < other.join('\0') ? -1 : 1)).map((pair) => pair.join('='))
  const url = (signing.baseUrl ?? BASE_URL) + path
  const baseString = ['POST', encode(url), encode(sorted.join('&'))].join('&')
  const header = Object.entries({ ...protocol, oauth_signature: oauthSignature(baseString, signing) })
  const search = Object.keys(query).length === 0 ? '' : `?${form(query)}`
  return post(path + search, form(inBody ? { ...fields, ...protocol } : fields), {
    authorization: `OAuth ${header.map(([name, value]) => `${name}="${encode(value)}"`).join(', ')}`,
  })
}

function oauthSignature(baseString: string, { method, key }: OAuthSigning): string {
  return method === 'HMAC-SHA1' && typeof key === 'string'
    ? createHmac('sha1', `${encode(key)}&`)
        .update(baseString)
        .digest('base64')
    : sign('sha256', Buffer.from(baseString), key).toString('base64')
}

export const PAYER = {
  client_orderid: 'inv-1',
  order_desc: 'Ten roses & a card',
  address1: '1 Main St',
  city: 'Berlin',
  zip_code: '10115',
  country: 'DE',
  phone: '+4930123456',
  email: 'john.smith@gmail.com',
  ipaddress: '203.0.113.7',
}

export const CARD = {
  credit_card_number: '4444333322221111',
  card_printed_name: 'JOHN SMITH',
  expire_month: '12',
  expire_year: '2031',
  cvv2: '123',
}

export const SALE = { ...PAYER, amount: '10.42', currency: 'EUR', ...CARD }

/** A sale as the shop, or another, signs it. */
export function sale(changes: Fields = {}, signer: Signer = SHOP): GatewayRequest {
  return controlled('/api/v2/sale', FORMULAS.paid, { ...SALE, ...changes }, signer)
}

export function status(fields: Fields, signer: Signer = SHOP): GatewayRequest {
  const named = { login: signer.login, ...fields }
  return controlled('/api/v2/status', FORMULAS.named, named, signer)
}
