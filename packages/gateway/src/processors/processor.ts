import type { OperationKey, RequestValues } from '@tallystick/core'
import type { Acquirer } from '../acquirer/acquirer.ts'
import type { Background } from '../background.ts'
import type { Deliveries } from '../callbacks/deliveries.ts'
import type { Answer } from '../http/answer.ts'
import type { MerchantEndpoint } from '../merchants.ts'
import type { Ids } from '../rims/system.ts'
import type { Store } from '../store/store.ts'

/** What a processor works with. */
export interface ProcessContext {
  /** Whose request this is; its signature has been verified. */
  readonly endpoint: MerchantEndpoint
  readonly serialNumber: string
  /** Keyed digest of the request without its CVV. */
  readonly digest: string
  readonly store: Store
  readonly acquirer: Acquirer
  readonly ids: Ids
  readonly background: Background
  readonly deliveries: Deliveries
}

/** Carries one operation out: the only kind of code that writes. Its request has been verified and validated. */
export type Processor<K extends OperationKey> = (request: RequestValues<K>, context: ProcessContext) => Promise<Answer>
