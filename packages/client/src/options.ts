import {
  defineProfile,
  type Endpoint,
  type OperationKey,
  operationUrl,
  type Profile,
  type Recorder,
} from '@tallystick/core'
import {
  checkOptions,
  type EndpointAddress,
  endpointAddress,
  rejectUnknownKeys,
  type Validator,
  type Validators,
  validator,
} from '@tallystick/core/internal'
import {
  CREDENTIAL_KINDS,
  type CredentialOptions,
  type Credentials,
  readCredentials,
  requireCredentials,
} from './credentials.ts'
import type { CallOptions, WaitOptions } from './result.ts'
import { type Clock, randomNonce, requireKind, systemClock } from './runtime/system.ts'
import { isOnThisMachine, privateAddressWatch } from './transport/private-address.ts'
import type { Transport } from './transport/transport.ts'
import { undiciTransport } from './transport/undici-transport.ts'

/** The brand of gateway: its profile, or only its address when it follows the specification. */
type Brand =
  | {
      /** How a brand of gateway differs, with its address: `defineProfile` of `@tallystick/core`. */
      readonly profile: Profile
      readonly baseUrl?: undefined
    }
  | {
      /** The gateway's address with its path prefix: `https://gate.example.com/paynet`. */
      readonly baseUrl: string
      readonly profile?: undefined
    }

/** How `createPaymentClient` finds the gateway, and what it signs with. */
export type PaymentClientOptions = Brand &
  CredentialOptions & {
    /** Source of OAuth timestamps and timers. Default the system's. */
    readonly clock?: Clock | undefined
    /** Makes OAuth nonces. Default 122 random bits. */
    readonly nonce?: (() => string) | undefined
    /** Sends the requests. Default HTTP/1.1 over undici. */
    readonly transport?: Transport | undefined
    /**
     * Time limit of a call, in milliseconds of real time. The status that confirms a refusal has as long again. Default
     * 70 000.
     */
    readonly timeoutMs?: number | undefined
    /** How often a read is tried, with waits by the `clock`. Default 3. Operations that change something are sent once. */
    readonly readAttempts?: number | undefined
    /**
     * Names your shop in the `User-Agent` of every request, before the library's own: `'shop/1.0'`. Firewalls refuse requests without
     * one. Default: the library's alone.
     */
    readonly userAgent?: string | undefined
    /**
     * Is called with what to fix: a client order id whose border could shift in a control, why a callback or return was
     * refused, a private `customerIp` (once), a wrong `context` of `CallStarted`, and every alarm (`DIAGNOSTICS.alarm`).
     */
    readonly onWarning?: ((warning: string) => void) | undefined
    /** Gets a line per call: its ids, how it ended and how long it took. No card data. Default: nothing is logged. */
    readonly log?: ((line: string) => void) | undefined
    /**
     * Records each call with how it ended and each callback, for a test: the `recording` of a gateway in this process, or
     * `sandboxRecorder`. No card data. Default: nothing is recorded.
     */
    readonly recorder?: Recorder | undefined
    /**
     * Allows calls without TLS to another machine. Only for a test gateway in a network of your own: card data travels
     * readable, and anybody could send replies. Default `false`.
     */
    readonly allowPlainHttp?: boolean | undefined
  } & Endpoint

const WHERE = 'createPaymentClient'
const LIBRARY = 'tallystick-client'

const LISTENER: Validator = { ...validator.function, wanted: 'a function that takes a text' }
const RECORDER = validator.withMethods('a recorder, such as gateway.recording', 'record')
/** Of a call, checked before it is sent: an error thrown later would not say whether it was. */
const SIGNAL = validator.withMethods(
  'an AbortSignal, such as controller.signal',
  'addEventListener',
  'removeEventListener',
)

/** The profile, the address and the endpoint are checked where they are read. */
const CLIENT_KINDS: Validators<PaymentClientOptions> = {
  profile: validator.anything,
  baseUrl: validator.anything,
  ...CREDENTIAL_KINDS,
  endpointId: validator.anything,
  endpointGroupId: validator.anything,
  clock: validator.withMethods('a clock', 'now', 'schedule'),
  nonce: { ...validator.function, wanted: 'a function that gives a text' },
  transport: validator.withMethods('a transport', 'send', 'close'),
  timeoutMs: validator.milliseconds,
  readAttempts: validator.count,
  userAgent: {
    wanted: "printable ASCII, such as 'shop/1.0'",
    isRight: (value) => typeof value === 'string' && /^[!-~]+(?: [!-~]+)*$/.test(value),
  },
  onWarning: LISTENER,
  log: LISTENER,
  recorder: RECORDER,
  allowPlainHttp: validator.flag,
}

/** Each call checks those itself that may be anything here. */
const CALL_KINDS: Validators<CallOptions> = {
  signal: SIGNAL,
  timeoutMs: validator.milliseconds,
  endpointId: validator.anything,
  endpointGroupId: validator.anything,
  credentials: validator.anything,
}
const CALL_OPTIONS = Object.keys(CALL_KINDS)

export const WAIT_KINDS: Validators<WaitOptions> = { deadlineMs: validator.milliseconds, ...CALL_KINDS }

/** Everything that a call needs, checked once. */
export interface Dependencies extends Credentials {
  readonly profile: Profile
  readonly endpoint: EndpointAddress
  /** Where the requests of an operation go. */
  readonly urlOf: (key: OperationKey) => string
  readonly clock: Clock
  readonly nonce: () => string
  readonly transport: Transport
  readonly timeoutMs: number
  readonly readAttempts: number
  readonly userAgent: string
  readonly onWarning: (warning: string) => void
  /** Checks the address of a payer, see `privateAddressWatch`. */
  readonly watchAddress: (address: unknown) => void
  readonly log: ((line: string) => void) | undefined
  readonly recorder: Recorder | undefined
}

/**
 * Checks the options and imports the keys, so that a bad key shows now and not at the first payment.
 *
 * @throws TypeError for a wrong option, SigningError `BAD_KEY` for a key that cannot be used
 */
export function readOptions(options: PaymentClientOptions): Dependencies {
  if (!validator.object.isRight(options)) {
    throw wrong('its options are missing: { baseUrl, login, controlKey, endpointId } at least')
  }
  checkOptions(WHERE, options, CLIENT_KINDS)
  const profile = profileOf(options)
  const endpoint = ownEndpoint(options)
  const onWarning = options.onWarning ?? (() => {})
  return {
    ...readCredentials(WHERE, options),
    profile,
    endpoint,
    urlOf: urlsAt(endpoint, profile),
    clock: options.clock ?? systemClock,
    nonce: options.nonce ?? randomNonce,
    timeoutMs: options.timeoutMs ?? 70_000,
    readAttempts: options.readAttempts ?? 3,
    userAgent: options.userAgent === undefined ? LIBRARY : `${options.userAgent} ${LIBRARY}`,
    onWarning,
    watchAddress: privateAddressWatch(profile.baseUrl, onWarning),
    log: options.log,
    recorder: options.recorder,
    transport: options.transport ?? undiciTransport(),
  }
}

/** The options of a call that was given none. */
export const NO_OPTIONS: CallOptions = {}

/**
 * The dependencies, changed by the options of one call.
 *
 * @throws TypeError for a wrong option
 */
export function forCall(options: CallOptions, deps: Dependencies): Dependencies {
  if (options === NO_OPTIONS) return deps
  rejectUnknownKeys('a call', options, CALL_OPTIONS)
  const { signal, credentials } = options
  if (signal !== undefined) requireKind('a call: signal', signal, SIGNAL)
  const signer = credentials === undefined ? undefined : requireCredentials('a call: credentials', credentials)
  const timeoutMs = options.timeoutMs ?? deps.timeoutMs
  requireKind('a call: timeoutMs', timeoutMs, validator.milliseconds)
  const endpoint = endpointOf(options)
  const where = endpoint && { endpoint, urlOf: urlsAt(endpoint, deps.profile) }
  return { ...deps, ...signer, ...where, timeoutMs }
}

/** The addresses at an endpoint, each made once. */
function urlsAt(endpoint: EndpointAddress, profile: Profile): Dependencies['urlOf'] {
  const made = new Map<OperationKey, string>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const url = operationUrl(key, endpoint, profile)
    made.set(key, url)
    return url
  }
}

function wrong(problem: string, options?: ErrorOptions): TypeError {
  return new TypeError(`${WHERE}: ${problem}`, options)
}

/** @throws TypeError with the message of the reader, which then begins with `createPaymentClient` */
function readAs<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof TypeError ? wrong(error.message, { cause: error }) : error
  }
}

function profileOf({ profile, baseUrl, allowPlainHttp = false }: PaymentClientOptions): Profile {
  if (profile !== undefined && baseUrl !== undefined) {
    throw wrong('profile and baseUrl exclude each other: the profile has an address of its own')
  }
  if (profile === undefined && baseUrl === undefined) {
    throw wrong("baseUrl must be given: the gateway's address with its path prefix; check that its setting is present")
  }
  const read = readAs(() => defineProfile(profile ?? { baseUrl: baseUrl ?? '' }))
  if (allowPlainHttp || /^https:/i.test(read.baseUrl) || isOnThisMachine(read.baseUrl)) return read
  throw wrong('baseUrl must be https beyond this machine: card data would travel readable (or set allowPlainHttp)')
}

function ownEndpoint(options: PaymentClientOptions): EndpointAddress {
  const endpoint = readAs(() => endpointOf(options))
  if (endpoint !== undefined) return endpoint
  throw wrong('endpointId or endpointGroupId must be given; check that its setting is present')
}

/** Options that may name an endpoint or a group. */
interface Named {
  readonly endpointId?: string | bigint | undefined
  readonly endpointGroupId?: string | bigint | undefined
}

/**
 * The endpoint or the group that options name; `undefined` when they name none.
 *
 * @throws TypeError when they name both, or an id is no int64
 */
function endpointOf({ endpointId, endpointGroupId }: Named): EndpointAddress | undefined {
  if (endpointGroupId === undefined) return endpointId === undefined ? undefined : endpointAddress({ endpointId })
  if (endpointId === undefined) return endpointAddress({ endpointGroupId })
  throw new TypeError('endpointId and endpointGroupId exclude each other: give one of them')
}
