import { defineProfile, type Profile, type ReplyFormat } from '@tallystick/core'
import { baseStringUri } from '@tallystick/signing'
import type { Acquirer } from './acquirer/acquirer.ts'
import type { DeliveryState } from './callbacks/delivery.ts'
import type { SendCallback } from './callbacks/send-callback.ts'
import type { ChaosOptions } from './chaos/draw-fault.ts'
import type { Clock } from './clock.ts'
import type { MerchantOptions } from './merchants/merchants.ts'
import { readSetting } from './read-setting.ts'
import type { Ids } from './rims/system.ts'
import type { Store } from './store/store.ts'
import type { VaultKeys } from './vault/vault-keys.ts'

export interface GatewayOptions<C extends Clock = Clock> {
  /**
   * The address that merchants call, with the path prefix: `https://gate.example.com/paynet`. OAuth signatures are
   * checked against it, never against the Host header.
   */
  readonly publicUrl: string
  /** Who may call: logins, keys and endpoints. At least one. */
  readonly merchants: readonly MerchantOptions[]
  /** Keeps orders, stored cards, callbacks and nonces. Default: in memory. */
  readonly store?: Store | undefined
  /**
   * Under what card numbers are kept. Default: keys that are made now and forgotten with the process; a store that
   * outlives the process needs keys that do, too.
   */
  readonly vaultKeys?: VaultKeys | undefined
  /** The bank: takes cards and decides about payments. Default: the simulator, which decides by the CVV. */
  readonly acquirer?: Acquirer | undefined
  /** Tells the time, and when it is time. Default: the system's. */
  readonly clock?: C | undefined
  /** Makes order ids of 15 digits, serial numbers and the tokens of hosted pages. Default: random ones. */
  readonly ids?: Ids | undefined
  /** Calls a merchant's callback address. Default: GET over HTTP/1.1 within 15 seconds, to public addresses alone. */
  readonly sendCallback?: SendCallback | undefined
  /** How callers without `Accept: application/vnd.pay+json` are answered. Default `json`: they are refused. */
  readonly replyFormat?: ReplyFormat | undefined
  /**
   * For tests and test environments: callbacks may go to this machine, on any port, a 403 explains itself, and orders may
   * have faults: see `Gateway.chaos`. Default `false`.
   */
  readonly sandbox?: boolean | undefined
  /** In a sandbox: each order draws a fault. Default: an order has one by its amount, its card or `Gateway.chaos`. */
  readonly chaos?: ChaosOptions | undefined
  /**
   * Whether a merchant may use a client order id again, as gateways without uniqueness allow. Default `false`: a repeat
   * with the same content gets the first answer, other content is refused (gaps part 13).
   */
  readonly allowRepeats?: boolean | undefined
  /** Whether ids are written as JSON numbers, as some gateways of the family do (conflict C2). Default `false`. */
  readonly numericIds?: boolean | undefined
  /** Most requests that are worked on at once; more are answered 503 before anything is written. Default 1000. */
  readonly maxConcurrentRequests?: number | undefined
  /** What it does otherwise: `exponents`, `wireNames`, `threeDsMethodWaitSeconds`. Default: as the interface says. */
  readonly profile?: Partial<Omit<Profile, 'baseUrl'>> | undefined
  /** Hears of every answer: for logs and metrics. It holds no card data. */
  readonly onAnswer?: ((answered: Answered) => void) | undefined
  /**
   * Hears of every callback that was sent, and of one that is given up without being sent again, once what came of it is kept:
   * for logs and metrics. It holds no card data.
   */
  readonly onCallback?: ((called: Called) => void) | undefined
  /**
   * Hears of failures inside, as they were thrown; `serialNumber` is that of the request that a failure is about, where there is
   * one. The gateway puts no card data into an error. An acquirer of yours may quote what it was given: the log of the command
   * masks that, and nothing else does.
   */
  readonly onError?: ((error: unknown, serialNumber?: string) => void) | undefined
}

/** A request that was answered. */
export interface Answered {
  readonly serialNumber: string
  /** The key of the operation in the catalogue; absent where the path names none. */
  readonly operation: string | undefined
  readonly httpStatus: number
  /** Of a refusal. */
  readonly errorCode: string | undefined
  readonly orderId: string | undefined
  readonly milliseconds: number
}

/** A callback that was sent. */
export interface Called {
  /** Of the request whose outcome it tells, as in `Answered`. Absent where the order is not kept any more. */
  readonly serialNumber: string | undefined
  readonly orderId: string
  /** What was called, without the query, which tells of the payment: `https://shop.example.com/callback`. */
  readonly address: string
  /** The HTTP status; why there was none, as `ECONNREFUSED`. Only `200` acknowledges. Empty where it was never sent. */
  readonly answer: string
  /** `open`: it is sent again. */
  readonly state: DeliveryState
  /** How often it was sent by now. */
  readonly made: number
  /** When it is sent again, in milliseconds since 1970; absent when it is over. */
  readonly dueAt: number | undefined
}

/** The profile of the gateway and the path that all its addresses begin with. */
export interface Addresses {
  readonly profile: Profile
  readonly basePath: string
}

/** @throws TypeError when `publicUrl` is no http or https address, or one that no OAuth signature could cover */
export function readAddresses({ publicUrl, profile }: Pick<GatewayOptions, 'publicUrl' | 'profile'>): Addresses {
  const full = readSetting('publicUrl', () => profileAt(publicUrl, profile))
  const { pathname } = new URL(readSetting('publicUrl', () => baseStringUri(full.baseUrl)))
  return { profile: full, basePath: pathname.replace(/\/$/, '') }
}

/** What a client calls `baseUrl` has no name but `publicUrl` here. */
function profileAt(publicUrl: string, profile: GatewayOptions['profile']): Profile {
  try {
    return defineProfile({ ...profile, baseUrl: publicUrl })
  } catch (cause) {
    throw new TypeError((cause as Error).message.replace(/^baseUrl /, ''), { cause })
  }
}
