import { defineProfile, type Profile } from '@tallystick/core'
import {
  checkBrand,
  checkOptions,
  type ReplyFormat,
  type Validator,
  type Validators,
  validator,
} from '@tallystick/core/internal'
import { baseStringUri } from '@tallystick/signing'
import type { Acquirer } from './acquirer/acquirer.ts'
import type { SendCallback } from './callbacks/callback-answer.ts'
import type { CallbackEvent, DecisionEvent, RequestEvent } from './events.ts'
import type { FaultOptions } from './faults/faults.ts'
import type { LimitEvent } from './http/concurrency-limit.ts'
import { readSetting } from './merchants/endpoint-settings.ts'
import type { MerchantOptions } from './merchants/merchants.ts'
import type { Recording } from './recording/recording.ts'
import type { Clock } from './runtime/clock.ts'
import type { Ids } from './runtime/system.ts'
import type { OperatorRecord } from './store/operator-record.ts'
import type { Store } from './store/store.ts'
import { VAULT_KEYS, type VaultKeys } from './vault/keys.ts'

/** What a gateway works with. */
export interface GatewayOptions<C extends Clock = Clock> {
  /**
   * The address that merchants call, with the path prefix: `https://gate.example.com/paynet`. OAuth signatures are
   * checked against it, never against the Host header.
   */
  readonly publicUrl: string
  /** Who may call: logins, keys and endpoints. At least one. */
  readonly merchants: readonly MerchantOptions[]
  /** Stores orders, cards, callbacks and nonces. Default: in memory. */
  readonly store?: Store | undefined
  /**
   * The keys that stored card numbers are encrypted under. Default: new keys, which end with the process; a store that
   * outlives the process requires keys that do.
   */
  readonly vaultKeys?: VaultKeys | undefined
  /**
   * The bank: accepts cards and decides payments. Default in a sandbox: `simulator()`, which decides by the CVV. Elsewhere it
   * has to be given, if it is the simulator too: with that, goods leave and no money moves.
   */
  readonly acquirer?: Acquirer | undefined
  /** Tells the time and runs timers. Default: the system's clock. */
  readonly clock?: C | undefined
  /** Makes order ids of 15 digits, serial numbers and the tokens of hosted pages. Default: random. */
  readonly ids?: Ids | undefined
  /** Calls a merchant's callback address. Default: GET over HTTP/1.1 within 15 seconds, to public addresses only. */
  readonly sendCallback?: SendCallback | undefined
  /** How to answer callers that do not send `Accept: application/vnd.pay+json`. Default `json`: they are refused. */
  readonly replyFormat?: ReplyFormat | undefined
  /**
   * For tests and test environments: callbacks may go to this machine, on any port; a 403 explains itself; and orders can
   * have faults (see `Gateway.faults`). Default `false`.
   */
  readonly sandbox?: boolean | undefined
  /**
   * Where everything is recorded that the gateway sees and does, with cards and keys masked: `createRecording()`. `false`: nothing
   * is. Default: in a sandbox a recording of its own, elsewhere nothing.
   */
  readonly recorder?: Recording | false | undefined
  /** In a sandbox: every order draws a fault. Default: an order has one only by amount, card or `Gateway.faults`. */
  readonly faults?: FaultOptions | undefined
  /**
   * Whether a merchant may use a client order id again for another order, as gateways without uniqueness allow; a control is
   * then good for more than one order. Never for another recurring payment: no status shows its id, so a repeat has to get
   * the first answer. Default `false`: a repeat with the same content gets the first answer, and one with other content is
   * refused (gaps part 13).
   */
  readonly allowRepeats?: boolean | undefined
  /**
   * Whether JSON replies hold the order id of an acknowledgement and every error code as numbers, as some gateways of the
   * family do (conflict C2). Default `false`.
   */
  readonly numericIds?: boolean | undefined
  /**
   * The most requests to work on at once. Any more get a 503 before anything is written; so do more than a quarter of them
   * whose merchant is not known yet. Default 1000.
   */
  readonly maxConcurrentRequests?: number | undefined
  /**
   * The most requests of one merchant to work on at once. Any more of that merchant get a 503 before anything is written.
   * Default: half of `maxConcurrentRequests`, or all if there is one merchant.
   */
  readonly maxConcurrentRequestsPerMerchant?: number | undefined
  /**
   * The most callbacks under way at once. More of them wait, and are no failure of their hosts. Each takes one or two files of
   * the process. Default 256.
   */
  readonly maxCallbackConnections?: number | undefined
  /** The most callbacks under way at once for one merchant. Default: a quarter of `maxCallbackConnections`. */
  readonly maxCallbackConnectionsPerMerchant?: number | undefined
  /**
   * How often a card may be tried within an hour at one merchant without being approved: with its number or its CVV, by a request
   * or on a hosted form. More tries get a 429 with `Retry-After`, before the acquirer sees them. Counted in this process.
   * Default 10; in a sandbox, and with the simulator as the acquirer, as often as you like.
   */
  readonly maxTriesPerCard?: number | undefined
  /**
   * How often cards may be tried within an hour on the hosted forms of one merchant from one address (IPv6: from one /64) without
   * being approved. More tries get a page with 429 and `Retry-After`. What the merchant says in `customer_ip` does not count.
   * Counted in this process. Default 100, so that an office or a carrier with many customers behind one address is not shut out;
   * in a sandbox, and with the simulator as the acquirer, as often as you like.
   */
  readonly maxTriesPerAddress?: number | undefined
  /**
   * The proxies whose `X-Forwarded-For` says where a request comes from: addresses, and networks such as `10.0.0.0/8`. Anybody
   * else's is ignored. `[]`: there are none, each connection is its customer's. Default: none, but if `publicUrl` is https, a
   * connection from a private address is taken for that of the proxy with the certificate, and not counted for `maxTriesPerAddress`.
   */
  readonly trustedProxies?: readonly string[] | undefined
  /** Departures from the interface: `exponents`, `wireNames`, `threeDsMethodWaitSeconds`. Default: none. */
  readonly profile?: Partial<Omit<Profile, 'baseUrl'>> | undefined
  /** Called with every answer: for logs and metrics. The argument holds no card data. */
  readonly onAnswer?: ((answered: RequestEvent) => void) | undefined
  /**
   * Called with every callback that was sent, and with one that is given up without being sent again, once the result is
   * stored: for logs and metrics. The argument holds no card data.
   */
  readonly onCallback?: ((called: CallbackEvent) => void) | undefined
  /** Called with what became of an operation, once it is stored: for logs. */
  readonly onDecision?: ((decided: DecisionEvent) => void) | undefined
  /** Called with what a person had done, once it is stored: for logs. */
  readonly onRecord?: ((record: OperatorRecord) => void) | undefined
  /** Called whenever a limit is reached, so that something waits or is refused: for logs and metrics. */
  readonly onLimit?: ((reached: LimitEvent) => void) | undefined
  /**
   * Called with every internal failure as it was thrown, and with the `serialNumber` of the request that it concerns, if there
   * is one. The gateway puts no card data into an error. An acquirer of your own may quote what it was given: only the log of
   * the command masks that.
   */
  readonly onError?: ((error: unknown, serialNumber?: string) => void) | undefined
}

/** The gateway's profile, and the path that all its addresses begin with. */
interface Addresses {
  readonly profile: Profile
  readonly basePath: string
}

/** @throws TypeError if `publicUrl` is not an http or https address, or one that no OAuth signature could cover */
export function readAddresses({ publicUrl, profile }: Pick<GatewayOptions, 'publicUrl' | 'profile'>): Addresses {
  const full = readSetting('publicUrl', () => profileAt(publicUrl, profile))
  const { pathname } = new URL(readSetting('publicUrl', () => baseStringUri(full.baseUrl)))
  return { profile: full, basePath: pathname.replace(/\/$/, '') }
}

/** A client's `baseUrl` is `publicUrl` here, so error messages must not say `baseUrl`. */
function profileAt(publicUrl: string, profile: GatewayOptions['profile']): Profile {
  try {
    return defineProfile({ recurringExtensions: true, ...profile, baseUrl: publicUrl })
  } catch (cause) {
    throw new TypeError((cause as Error).message.replace(/^baseUrl /, ''), { cause })
  }
}

const RECORDER: Validator = {
  wanted: 'a recording, such as createRecording(), or false',
  isRight: (value) => value === false || validator.withMethods('', 'record', 'events', 'subscribe').isRight(value),
}

/** Kinds alone. What is in the options is checked where it is read. */
const KINDS: Validators<GatewayOptions> = {
  publicUrl: validator.required(validator.text),
  merchants: validator.required(validator.list),
  store: validator.withMethods('a store, such as sqliteStore({ file })', 'commit', 'orderById', 'reset', 'close'),
  vaultKeys: VAULT_KEYS,
  acquirer: validator.withMethods('an acquirer', 'tokenize', 'execute', 'authenticate', 'lookup'),
  clock: validator.withMethods('a clock, such as virtualClock()', 'now', 'schedule'),
  ids: validator.withMethods('a source of ids', 'orderId', 'serialNumber', 'pageToken'),
  sendCallback: validator.function,
  replyFormat: validator.oneOf('json', 'classic'),
  sandbox: validator.flag,
  recorder: RECORDER,
  faults: validator.object,
  allowRepeats: validator.flag,
  numericIds: validator.flag,
  maxConcurrentRequests: validator.count,
  maxConcurrentRequestsPerMerchant: validator.count,
  maxTriesPerCard: validator.count,
  maxTriesPerAddress: validator.count,
  trustedProxies: validator.listOf(validator.text),
  maxCallbackConnections: validator.count,
  maxCallbackConnectionsPerMerchant: validator.count,
  profile: validator.object,
  onAnswer: validator.function,
  onCallback: validator.function,
  onDecision: validator.function,
  onRecord: validator.function,
  onLimit: validator.function,
  onError: validator.function,
}

/** @throws TypeError that names the option */
export function checkGatewayOptions(options: GatewayOptions): void {
  checkOptions('createGateway', options, KINDS)
  // A client's whole profile is accepted too, but its `baseUrl` is ignored: the gateway's address is `publicUrl`.
  const { baseUrl: _, ...brand }: Partial<Profile> = options.profile ?? {}
  checkBrand('createGateway: profile', brand)
  if (options.faults !== undefined && options.sandbox !== true) {
    throw new TypeError('createGateway: faults are for a sandbox alone; say sandbox: true as well')
  }
  if (options.acquirer === undefined && options.sandbox !== true) throw new TypeError(BANK_MISSING)
  if (options.store?.durable === true && options.vaultKeys === undefined) throw new TypeError(KEYS_MISSING)
}

/** A forgotten bank would approve payments that move no money. */
const BANK_MISSING =
  'createGateway: acquirer must be given: the bank that moves the money; for a test, say sandbox: true, or acquirer: simulator(), ' +
  'which decides by the CVV and moves none'

/** Cards that are sealed under keys of the process alone could never be opened after it ends. */
const KEYS_MISSING =
  'createGateway: vaultKeys must be given: the store outlives the process, so the keys of its cards must too; make a key file with ' +
  '`tallystick-gateway keys FILE`, keep it apart from the store, and pass readVaultKeys(text)'
