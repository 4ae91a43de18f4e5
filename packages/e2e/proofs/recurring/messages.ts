import type { BankAnswer, BankQuestion } from '../kill9/messages.ts'
import type { PlannedSchedule } from './plan.ts'

/** Who charges, and with which keys: made for this run. */
export interface MerchantSettings {
  readonly login: string
  readonly controlKey: string
  readonly publicKey: string
  readonly privateKey: string
}

/** What a process of the gateway is started with. */
export interface GatewaySettings extends MerchantSettings {
  readonly file: string
  readonly vaultKeys: string
  readonly seed: number
  /** Where its clock stands. */
  readonly now: number
  /** The statement before which it kills itself, from 1. Absent: none. */
  readonly killedAtStatement: number | undefined
  /** Once it is ready, one of so many statements fails. Absent: none. */
  readonly failsEvery: number | undefined
}

/** An order to ask for, by the names that the merchant has. */
export interface NamedOrder {
  readonly endpointId: string
  readonly clientOrderId: string
}

/** What the interface tells of it: nothing, where it knows of none. */
export interface ToldOrder {
  readonly clientOrderId: string
  readonly orderId: string | undefined
  readonly status: string | undefined
  readonly recurringPaymentId: string | undefined
}

export type FromGateway =
  | BankQuestion
  /** A callback to the merchant. */
  | { readonly callbackId: number; readonly url: string }
  /** Its clock went on to there. */
  | { readonly clock: number }
  /** A statement failed, as it was meant to. */
  | { readonly diskFailure: true }
  /** What was asked for is done. */
  | { readonly done: true }
  /** The ids of the recurring payments. */
  | { readonly created: readonly string[] }
  | { readonly told: readonly ToldOrder[] }

export type ToGateway =
  | BankAnswer
  | 'stop'
  /** The merchant has acknowledged it. */
  | { readonly heardId: number }
  /** Its clock is set back, and then goes on hour by hour, each to the end of what falls due in it. */
  | { readonly advanceHours: number; readonly setBackMs: number }
  | { readonly create: readonly PlannedSchedule[] }
  | { readonly statusOf: readonly NamedOrder[] }
