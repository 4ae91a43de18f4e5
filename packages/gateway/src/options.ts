import { defineProfile, type Profile, type ReplyFormat } from '@tallystick/core'
import { baseStringUri } from '@tallystick/signing'
import type { Acquirer } from './acquirer/acquirer.ts'
import type { SendCallback } from './callbacks/deliveries.ts'
import type { Clock } from './clock.ts'
import type { MerchantOptions } from './merchants.ts'
import { readSetting } from './read-setting.ts'
import type { Ids } from './rims/system.ts'
import type { Store } from './store/store.ts'

export interface GatewayOptions {
  /**
   * The address that merchants call, with the path prefix: `https://gate.example.com/paynet`. OAuth signatures are
   * checked against it, never against the Host header.
   */
  readonly publicUrl: string
  readonly merchants: readonly MerchantOptions[]
  /** Default: in memory. */
  readonly store?: Store
  /** Default: the simulator, which decides by the CVV. */
  readonly acquirer?: Acquirer
  /** Default: the system's. */
  readonly clock?: Clock
  /** Default: random. */
  readonly ids?: Ids
  /** Calls a merchant's `server_callback_url`. Default: GET over HTTP/1.1 within 15 seconds. */
  readonly sendCallback?: SendCallback
  /** How callers without `Accept: application/vnd.pay+json` are answered. Default `json`: they are refused. */
  readonly replyFormat?: ReplyFormat
  /** What of the interface this gateway does otherwise: `exponents`, `wireNames`. */
  readonly profile?: Partial<Omit<Profile, 'baseUrl'>>
  /** Hears of failures inside. The error may quote the store or the acquirer; it never holds a card number. */
  readonly onError?: (error: unknown, serialNumber?: string) => void
}

/** The profile of the gateway and the path that all its addresses begin with. */
export interface Addresses {
  readonly profile: Profile
  readonly basePath: string
}

/** @throws TypeError when `publicUrl` is no http or https address, or one that no OAuth signature could cover */
export function readAddresses({ publicUrl, profile }: GatewayOptions): Addresses {
  const full = readSetting('publicUrl', () => defineProfile({ ...profile, baseUrl: publicUrl }))
  const { pathname } = new URL(readSetting('publicUrl', () => baseStringUri(full.baseUrl)))
  return { profile: full, basePath: pathname.replace(/\/$/, '') }
}
