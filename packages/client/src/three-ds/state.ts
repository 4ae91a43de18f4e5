import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@tallystick/core'
import type { AwaitedStep } from './step.ts'

/** What must be known when the browser comes back. The browser carries it, so that no server has to store it. */
export interface StepState {
  readonly step: AwaitedStep['step']
  readonly clientOrderId: string
  readonly orderId: string
  /** Tells this step from a later one of its kind. */
  readonly mark: string
  /** Of the method step. */
  readonly threeDsServerTransId?: string
}

/** Distinguishes these signatures from all others by the control key. */
const PURPOSE = 'tallystick 3ds state 1'
const MOST_CHARACTERS = 1024

/** The state in base64url, as EMV 3-D Secure wants session data; signed, so that a browser cannot name another order. */
export function writeState(state: StepState, key: Secret): string {
  const content = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${content}${signature(content, key)}`
}

/** `undefined`: it is no state, or none of the keys signed it. */
export function readState(text: string, keys: readonly Secret[]): StepState | undefined {
  if (text.length > MOST_CHARACTERS || text.length <= SIGNATURE_LENGTH) return undefined
  const content = text.slice(0, -SIGNATURE_LENGTH)
  const signed = Buffer.from(text.slice(-SIGNATURE_LENGTH))
  const isOurs = keys.some((key) => isEqual(signed, Buffer.from(signature(content, key))))
  return isOurs ? (JSON.parse(Buffer.from(content, 'base64url').toString()) as StepState) : undefined
}

export function stateOf(awaited: AwaitedStep, order: Pick<StepState, 'clientOrderId' | 'orderId'>): StepState {
  const state = { step: awaited.step, ...order, mark: markOf(awaited) }
  return awaited.step === 'method' ? { ...state, threeDsServerTransId: awaited.threeDsServerTransId } : state
}

export function markOf(step: AwaitedStep): string {
  return createHash('sha256').update(JSON.stringify(step)).digest('base64url').slice(0, 10)
}

/** 32 bytes in base64url. */
const SIGNATURE_LENGTH = 43

function signature(content: string, key: Secret): string {
  return createHmac('sha256', key.reveal()).update(`${PURPOSE} ${content}`).digest('base64url')
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}
