import type { BankAnswer, BankQuestion } from '../kill9/messages.ts'
import type { PlannedSchedule } from './plan.ts'

/** The merchant who charges, with keys made for this run. */
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
  /** The time of its clock. */
  readonly now: number
  /** The statement before which it kills itself, counted from 1. Absent: none. */
  readonly killedAtStatement: number | undefined
  /** Once it is ready, one in this many statements fails. Absent: none. */
  readonly failsEvery: number | undefined
}

/** An order whose status is asked, by the names that the merchant has. */
export interface NamedOrder {
  readonly endpointId: string
  readonly clientOrderId: string
}

/** What the interface shows of an order: nothing if it knows none. */
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
  /** Its clock went on to this time. */
  | { readonly clock: number }
  /** A statement failed, as it was meant to. */
  | { readonly diskFailure: true }
  /** The last message was carried out. */
  | { readonly done: true }
  /** The ids of the recurring payments. */
  | { readonly created: readonly string[] }
  | { readonly told: readonly ToldOrder[] }

export type ToGateway =
  | BankAnswer
  | 'stop'
  /** The merchant has acknowledged that callback. */
  | { readonly heardId: number }
  /** Sets its clock back, and then moves it on hour by hour, finishing in each what falls due in it. */
  | { readonly advanceHours: number; readonly setBackMs: number }
  | { readonly create: readonly PlannedSchedule[] }
  | { readonly statusOf: readonly NamedOrder[] }
