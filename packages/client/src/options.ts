import { defineProfile, type Endpoint, type EndpointAddress, type Profile } from '@tallystick/core'
import { CREDENTIAL_OPTIONS, type CredentialOptions, type Credentials, readCredentials } from './credentials.ts'
import { endpointOf } from './endpoint-of.ts'
import { requireKnown } from './known-options.ts'
import { milliseconds } from './milliseconds.ts'
import type { CallOptions } from './result.ts'
import { type Clock, randomNonce, systemClock } from './rims/system.ts'
import { undiciTransport } from './rims/undici-transport.ts'
import type { Transport } from './transport.ts'

/** The brand of gateway: its profile, or only its address when it follows the specification. */
type Brand =
  | {
      /** What differs at a brand of gateway, its address included: `defineProfile` of `@tallystick/core`. */
      readonly profile: Profile
      readonly baseUrl?: never
    }
  | {
      /** The gateway's address with its path prefix: `https://gate.example.com/paynet`. */
      readonly baseUrl: string
      readonly profile?: never
    }

/** How `createPaymentClient` finds the gateway, and what it signs with. */
export type PaymentClientOptions = Brand &
  CredentialOptions & {
    /** Where OAuth timestamps are read from, and what is waited on. Default the system's. */
    readonly clock?: Clock
    /** Makes OAuth nonces. Default 122 random bits. */
    readonly nonce?: () => string
    /** Sends the requests. Default HTTP/1.1 over undici. */
    readonly transport?: Transport
    /** Until when a call must be answered, in milliseconds. Default 70 000. */
    readonly timeoutMs?: number
    /**
     * How often a read is asked that got no answer, the first time counted. Default 3. Operations that change something are
     * sent once, whatever this says.
     */
    readonly readAttempts?: number
    /**
     * Hears of what should be mended: a client order id whose border could shift in a control, and every alarm
     * (`DIAGNOSTICS.alarm`).
     */
    readonly onWarning?: (warning: string) => void
    /** Hears one line a call: its ids, how it ended and how long it took. No card data. Default: nothing is logged. */
    readonly log?: (line: string) => void
    /**
     * Lets a gateway beyond this machine be called without TLS. Only for a test gateway in a network of your own: card
     * data travels readable, and replies could be anybody's. Default `false`.
     */
    readonly allowPlainHttp?: boolean
  } & Endpoint

const CALL_OPTIONS = ['signal', 'timeoutMs', 'endpointId', 'endpointGroupId', 'credentials']
const CLIENT_OPTIONS = [
  'profile',
  'baseUrl',
  ...CREDENTIAL_OPTIONS,
  'endpointId',
  'endpointGroupId',
  'clock',
  'nonce',
  'transport',
  'timeoutMs',
  'readAttempts',
  'onWarning',
  'log',
  'allowPlainHttp',
]

/** Everything that a call needs, checked once. */
export interface Dependencies extends Credentials {
  readonly profile: Profile
  readonly endpoint: EndpointAddress
  readonly clock: Clock
  readonly nonce: () => string
  readonly transport: Transport
  readonly timeoutMs: number
  readonly readAttempts: number
  readonly onWarning: (warning: string) => void
  readonly log: ((line: string) => void) | undefined
}

/**
 * Checks the options and imports the keys, so that a bad key shows now and not at the first payment.
 *
 * @throws TypeError for a wrong option, SigningError `BAD_KEY` for a key that cannot be used
 */
export function readOptions(options: PaymentClientOptions): Dependencies {
  requireKnown('createPaymentClient', options, CLIENT_OPTIONS)
  const { nonce = randomNonce, timeoutMs = 70_000, readAttempts = 3, onWarning = () => {}, log } = options
  if (typeof nonce !== 'function') throw new TypeError('nonce must be a function that gives a text')
  if (typeof onWarning !== 'function') throw new TypeError('onWarning must be a function that takes a text')
  if (log !== undefined && typeof log !== 'function') throw new TypeError('log must be a function that takes a text')
  if (!Number.isSafeInteger(readAttempts) || readAttempts < 1) {
    throw new TypeError('readAttempts must be a whole number from 1 on')
  }
  return {
    ...readCredentials(options),
    profile: profileOf(options),
    endpoint: ownEndpoint(options),
    clock: withMethods('clock', options.clock ?? systemClock, 'now', 'schedule'),
    nonce,
    timeoutMs: milliseconds('timeoutMs', timeoutMs),
    readAttempts,
    onWarning,
    log,
    transport: withMethods('transport', options.transport ?? undiciTransport(), 'send', 'close'),
  }
}

/** The options of a call that was given none. */
export const NO_OPTIONS: CallOptions = {}

/**
 * The dependencies as the options of one call change them.
 *
 * @throws TypeError for a wrong option
 */
export function forCall(options: CallOptions, deps: Dependencies): Dependencies {
  if (options === NO_OPTIONS) return deps
  requireKnown('a call', options, CALL_OPTIONS)
  const timeoutMs = milliseconds('timeoutMs', options.timeoutMs ?? deps.timeoutMs)
  return { ...deps, ...options.credentials, timeoutMs, endpoint: endpointOf(options) ?? deps.endpoint }
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

function ownEndpoint(options: PaymentClientOptions): EndpointAddress {
  const endpoint = endpointOf(options)
  if (endpoint === undefined) throw new TypeError('endpointId or endpointGroupId must be given')
  return endpoint
}

function withMethods<T extends object>(option: string, value: T, ...methods: ReadonlyArray<keyof T & string>): T {
  if (methods.every((name) => typeof value[name] === 'function')) return value
  throw new TypeError(`${option} must be an object with ${methods.map((name) => `${name}()`).join(' and ')}`)
}
