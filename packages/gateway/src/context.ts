import type { Profile } from '@tallystick/core'
import type { Acquirer } from './acquirer/acquirer.ts'
import type { OrderFaults } from './faults/fault-parts.ts'
import type { CallerAddresses } from './http/caller-address.ts'
import type { Merchants } from './merchants/merchants.ts'
import type { Tries } from './processing/tries.ts'
import type { Background } from './runtime/background.ts'
import type { WatchedClock } from './runtime/clock.ts'
import type { FillRandomly } from './runtime/random-source.ts'
import type { RealTime } from './runtime/real-time.ts'
import type { Ids } from './runtime/system.ts'
import type { Change, Committed, Store } from './store/store.ts'
import type { Vault } from './vault/vault.ts'

/** What the gateway works with, besides a request. */
export interface Service {
  readonly store: Store
  /** Writes a change, and plans to run what it made due. */
  readonly commit: (change: Change) => Promise<Committed>
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
  readonly random: FillRandomly
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
  /** The faults of an order in a sandbox. Elsewhere there are none. */
  readonly faults: OrderFaults
}
