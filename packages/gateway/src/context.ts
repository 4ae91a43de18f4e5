import type { OperationKey, Profile } from '@tallystick/core'
import type { RequestValues } from '@tallystick/core/internal'
import type { RsaPrivateKey, RsaPublicKey } from '@tallystick/signing'
import type { Acquirer, RequestFields } from './acquirer/acquirer.ts'
import type { FaultName } from './faults/faults.ts'
import type { CallerAddresses } from './http/caller-address.ts'
import type { Answer } from './http/reply.ts'
import type { Endpoint } from './merchants/endpoint.ts'
import type { Merchant, Merchants } from './merchants/merchants.ts'
import type { StoredOrder } from './orders/order.ts'
import type { WatchedClock } from './runtime/clock.ts'
import type { Ids, RandomFill, RealTime } from './runtime/system.ts'
import type { Background } from './runtime/tasks.ts'
import type { Change, CommitResult, Store } from './store/store.ts'
import type { Vault } from './vault/vault.ts'

/** What the gateway works with, besides a request. */
export interface Service {
  readonly store: Store
  /** Writes a change, and plans to run what it made due. */
  readonly commit: (change: Change) => Promise<CommitResult>
  readonly acquirer: Acquirer
  /**
   * The ids of the operations that this process is carrying out, continues after a 3DS step, or looks up after they were written
   * as sent; and its requests, by merchant, client order id and serial number.
   */
  readonly underWay: Set<string>
  readonly vault: Vault
  /** Rejects if the store was used with other vault keys, or with other decimals of currencies. */
  readonly requireSameSettings: () => Promise<void>
  readonly ids: Ids
  readonly random: RandomFill
  /** A number from 0 to 1. Nothing secret may depend on it. */
  readonly fraction: () => number
  readonly clock: WatchedClock
  /** For what must take as long whatever a test's clock says. */
  readonly time: Pick<RealTime, 'pause'>
  readonly background: Background
  readonly tries: Tries
  readonly callers: CallerAddresses
  readonly merchants: Merchants
  readonly profile: Profile
  /** Whether a merchant may use a client order id again (gaps part 13). */
  readonly repeatsAllowed: boolean
  /** Called with failures inside. `serialNumber`: of the request that failed, or whose work did. Never throws. */
  readonly onError: (error: unknown, serialNumber?: string) => void
  /** Whether callbacks may go to this machine. */
  readonly sandbox: boolean
  /** What a sandbox signs with by RSA. */
  readonly sandboxKey: SandboxKey
  /** The faults of an order in a sandbox. Elsewhere there are none. */
  readonly faults: OrderFaults
}

/** A pair of its own, made when it is first asked to sign, since it has only the public keys of its merchants. */
export interface SandboxKey {
  /** `undefined`: it has signed nothing yet. */
  publicKey?: RsaPublicKey
  privateKey?: RsaPrivateKey
}

/**
 * What the pages ask about the faults of an order: `of(order).has('three-ds-abandoned')`, or `'method-time-out'`. Before they
 * send a browser back to the shop they await `callbackBeforeReturn(order)`, which takes no time without that fault.
 */
export interface OrderFaults {
  of(order: StoredOrder): ReadonlySet<FaultName>
  callbackBeforeReturn(order: StoredOrder): Promise<void>
}

/**
 * Counts how often cards are tried in vain, by card and by the address of the browser, so that nobody finds a CVV or an expiry by
 * trying, nor which of many cards are good.
 */
export interface Tries {
  /** Counts a try, if it is allowed. */
  take(tried: Tried): TriedTooOften | undefined
  /** An approved payment is no try in vain, nor is a repeat. */
  approved(login: string, fingerprint: string): void
  /** Whether there is a limit at all. */
  readonly isLimited: boolean
}

/** A try of a card. */
export interface Tried {
  readonly login: string
  /** Of the card. */
  readonly fingerprint: string
  /** What its customer's address is counted under, if a browser brought the card and its address is known. */
  readonly from?: string | undefined
}

/** The limit that forbids a try, and for how long. */
interface TriedTooOften {
  readonly limit: 'tries-per-card' | 'tries-per-address'
  readonly afterSeconds: number
}

/**
 * What a processor works with: a request until it is answered. Whatever goes on after the answer gets the `service` alone, so that
 * nothing of the request stays in memory for it.
 */
export interface RequestContext {
  readonly service: Service
  /** Whose request this is; its signature has been verified. */
  readonly merchant: Merchant
  /** Takes the currency of the request. */
  readonly endpoint: Endpoint
  /** The group that the request was sent to, if it was not sent to the endpoint itself. */
  readonly groupId?: string | undefined
  /** The path below the base path, with the query: some operations have several. */
  readonly path: string
  readonly serialNumber: string
  /** Keyed digest of the request without its CVV. */
  readonly digest: string
  /** The control that it was verified by, in lower case; absent for OAuth. */
  readonly signedAs: string | undefined
  /** What the request says besides its card, for the acquirer. It is stored, sealed, only if a page or a schedule needs it. */
  readonly requestFields: RequestFields
  /** Milliseconds since 1970: one instant for the whole request. */
  readonly at: number
  /** Writes a change. The first also consumes the nonce of the request. */
  readonly commit: Service['commit']
  /** Counts a try of a card in this request. */
  readonly takeTry: Tries['take']
}

/** Carries one operation out: the only kind of code that writes. Its request has been verified and validated. */
export type Processor<K extends OperationKey> = (request: RequestValues<K>, context: RequestContext) => Promise<Answer>
