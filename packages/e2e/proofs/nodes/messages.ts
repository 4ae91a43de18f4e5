import type { ToGateway as ToKilledGateway } from '../kill9/messages.ts'
import type { FromServedShop } from '../process/serve-shop.ts'
import type { Purchase } from './purchase.ts'

/** What every process of the proof is started with. */
interface NodeSettings {
  readonly connectionString: string
  readonly login: string
  readonly endpointId: string
  /** Made for this run. */
  readonly controlKey: string
  /** How far its clock is ahead of the machine's. */
  readonly aheadMs: number
}

export interface GatewaySettings extends NodeSettings {
  /** The address that merchants call: the front of all nodes. */
  readonly publicUrl: string
  readonly publicKey: string
  readonly vaultKeys: string
  readonly seed: number
}

export interface ShopSettings extends NodeSettings {
  /** The front of the gateway. */
  readonly baseUrl: string
}

export type FromShop =
  | FromServedShop
  /** The state of a payment that it was asked to make. `threw`: its database was away. */
  | { readonly paid: number; readonly outcome: string }

/** Sets its clock ahead by this much more. */
interface GoOn {
  readonly goOnMs: number
}

export type ToGateway = ToKilledGateway | GoOn

export type ToShop =
  | 'finish'
  | 'stop'
  | GoOn
  /** A payment to make, by the number of the customer's order. */
  | { readonly pay: number; readonly purchase: Purchase }
