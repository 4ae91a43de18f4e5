import { catalogue, defineProfile, type Endpoint, type EndpointAddress, type Profile, Secret } from '@tallystick/core'
import { type HmacKey, hmacKey, type RsaPrivateKey, rsaPrivateKey } from '@tallystick/signing'
import { endpointOf } from './endpoint-of.ts'
import { requireKnown } from './known-options.ts'
import { milliseconds } from './milliseconds.ts'
import type { CallOptions } from './result.ts'
import { type Clock, randomNonce, systemClock } from './rims/system.ts'
import { undiciTransport } from './rims/undici-transport.ts'
import type { Transport } from './transport.ts'

/** The brand of gateway: its profile, or only its address when it follows the specification. */
type Brand =
  | { readonly profile: Profile; readonly baseUrl?: never }
  | { readonly baseUrl: string; readonly profile?: never }

export type PaymentClientOptions = Brand & {
  /** The merchant's login. */
  readonly login: string
  /** The merchant control key: signs the control and HMAC-SHA1 operations. */
  readonly controlKey: string | Secret
  /** RSA private key in PEM (PKCS#1 or PKCS#8, 2048 bits or more): signs the v4 operations. */
  readonly privateKey?: string | Secret
  /** The clock that OAuth timestamps are read from. Default the system's. */
  readonly clock?: Clock
  /** Makes OAuth nonces. Default 122 random bits. */
  readonly nonce?: () => string
  /** Sends the requests. Default HTTP/1.1 over undici. */
  readonly transport?: Transport
  /** Until when a call must be answered, in milliseconds. Default 70 000 (gaps part 13). */
  readonly timeoutMs?: number
  /**
   * Lets a gateway beyond this machine be called without TLS. Only for a test gateway in a network of your own: card
   * data travels readable, and replies could be anybody's. Default `false`.
   */
  readonly allowPlainHttp?: boolean
} & Endpoint

const CALL_OPTIONS = ['signal', 'timeoutMs', 'endpointId', 'endpointGroupId']
const CLIENT_OPTIONS = [
  'profile',
  'baseUrl',
  'login',
  'controlKey',
  'privateKey',
  'endpointId',
  'endpointGroupId',
  'clock',
  'nonce',
  'transport',
  'timeoutMs',
  'allowPlainHttp',
]

/** Everything that a call needs, checked once. */
export interface Dependencies {
  readonly profile: Profile
  readonly login: string
  readonly endpoint: EndpointAddress
  readonly controlKey: Secret
  readonly hmacKey: HmacKey
  readonly rsaKey: RsaPrivateKey | undefined
  readonly clock: Clock
  readonly nonce: () => string
  readonly transport: Transport
  readonly timeoutMs: number
}

/**
 * Checks the options and imports the keys, so that a bad key shows now and not at the first payment.
 *
 * @throws TypeError for a wrong option, SigningError `BAD_KEY` for a key that cannot be used
 */
export function readOptions(options: PaymentClientOptions): Dependencies {
  requireKnown('createPaymentClient', options, CLIENT_OPTIONS)
  const { privateKey, nonce = randomNonce, timeoutMs = 70_000 } = options
  if (typeof nonce !== 'function') throw new TypeError('nonce must be a function that gives a text')
  const controlKey = toSecret('controlKey', options.controlKey)
  return {
    profile: profileOf(options),
    login: loginOf(options),
    endpoint: ownEndpoint(options),
    controlKey,
    hmacKey: hmacKey(controlKey.reveal()),
    rsaKey: privateKey === undefined ? undefined : rsaPrivateKey(toSecret('privateKey', privateKey).reveal()),
    clock: withMethods('clock', options.clock ?? systemClock, 'now'),
    nonce,
    timeoutMs: milliseconds('timeoutMs', timeoutMs),
    transport: withMethods('transport', options.transport ?? undiciTransport(), 'send', 'close'),
  }
}

/**
 * The dependencies as the options of one call change them.
 *
 * @throws TypeError for a wrong option
 */
export function forCall(options: CallOptions, deps: Dependencies): Dependencies {
  requireKnown('a call', options, CALL_OPTIONS)
  const timeoutMs = milliseconds('timeoutMs', options.timeoutMs ?? deps.timeoutMs)
  return { ...deps, timeoutMs, endpoint: endpointOf(options) ?? deps.endpoint }
}

function profileOf({ profile, baseUrl, allowPlainHttp = false }: PaymentClientOptions): Profile {
  if (profile !== undefined && baseUrl !== undefined) {
    throw new TypeError('profile and baseUrl exclude each other: the profile has an address of its own')
  }
  const read = defineProfile(profile ?? { baseUrl: baseUrl ?? '' })
  if (allowPlainHttp || PROTECTED.test(read.baseUrl)) return read
  throw new TypeError(
    'baseUrl must be https beyond this machine: card data would travel readable (or set allowPlainHttp)',
  )
}

/** TLS, or this machine. */
const PROTECTED = /^(?:https:|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$))/i

function loginOf({ login }: PaymentClientOptions): string {
  const { format } = catalogue.status.request.fields.login
  const read = format.schema.safeParse(login)
  if (read.success && !/\p{Cc}/u.test(read.data)) return read.data
  throw new TypeError(`login must be the merchant's login: ${format.bound}, without control characters`)
}

function ownEndpoint(options: PaymentClientOptions): EndpointAddress {
  const endpoint = endpointOf(options)
  if (endpoint === undefined) throw new TypeError('endpointId or endpointGroupId must be given')
  return endpoint
}

function toSecret(option: string, value: string | Secret): Secret {
  if (value instanceof Secret) return value
  if (typeof value === 'string' && value !== '') return new Secret(value)
  throw new TypeError(`${option} must be a text that is not empty, or a Secret; check that its setting is present`)
}

function withMethods<T extends object>(option: string, value: T, ...methods: ReadonlyArray<keyof T & string>): T {
  if (methods.every((name) => typeof value[name] === 'function')) return value
  throw new TypeError(`${option} must be an object with ${methods.map((name) => `${name}()`).join(' and ')}`)
}
