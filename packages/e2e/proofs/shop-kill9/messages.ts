/** What a process of the shop is started with. */
export interface ShopSettings {
  readonly file: string
  readonly baseUrl: string
  readonly login: string
  readonly endpointId: string
  readonly controlKey: string
  /** How far its clock is ahead: what an earlier process leased is free again. */
  readonly aheadMs: number
  /** Its number, for the names of what it sells. */
  readonly process: number
  /** How many customers pay at once, each one payment after the other, without end. */
  readonly customers: number
}

export type ToShop = 'finish' | 'stop'
