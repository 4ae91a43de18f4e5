import type { OperationKey, RequestValues } from '@tallystick/core'
import type { Particulars } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import type { Answer } from '../http/reply.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Change, Committed } from '../store/store.ts'

/** What a processor works with. */
export interface ProcessContext extends Service {
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
  readonly particulars: Particulars
  /** Milliseconds since 1970: one instant for the whole request. */
  readonly at: number
  /** Writes a change, and burns the nonce of the request with the first. */
  readonly commit: (change: Change) => Promise<Committed>
}

/** Carries one operation out: the only kind of code that writes. Its request has been verified and validated. */
export type Processor<K extends OperationKey> = (request: RequestValues<K>, context: ProcessContext) => Promise<Answer>
