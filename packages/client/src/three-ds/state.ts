import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { issuerMessage, type Secret } from '@tallystick/core'
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
const PURPOSE = 'tallystick 3ds state 2 '
const MOST_CHARACTERS = 1024

/**
 * The state, signed, so that a browser cannot name another order. In hexadecimal digits, because what passes through an issuer comes
 * back padded, wrapped or in another case; in base64url where EMV 3-D Secure has no room for these.
 */
export function writeState(state: StepState, key: Secret): string {
  const content = Buffer.from(JSON.stringify(state))
  const signed = Buffer.concat([content, signature(content, key)])
  const plain = signed.toString('hex')
  return plain.length > MOST_CHARACTERS ? signed.toString('base64url') : plain
}

/** `undefined`: it is no state, or none of the keys signed it. */
export function readState(text: string, keys: readonly Secret[]): StepState | undefined {
  const sent = issuerMessage(text).replace(/(?<!=)=+$/, '')
  if (sent.length > MOST_CHARACTERS) return undefined
  const signed = Buffer.from(sent, /^[\da-f]+$/i.test(sent) ? 'hex' : 'base64')
  if (signed.byteLength <= SIGNATURE_BYTES) return undefined
  const content = signed.subarray(0, -SIGNATURE_BYTES)
  const isOurs = keys.some((key) => timingSafeEqual(signed.subarray(-SIGNATURE_BYTES), signature(content, key)))
  return isOurs ? (JSON.parse(content.toString()) as StepState) : undefined
}

export function stateOf(awaited: AwaitedStep, order: Pick<StepState, 'clientOrderId' | 'orderId'>): StepState {
  const state = { step: awaited.step, ...order, mark: markOf(awaited) }
  return awaited.step === 'method' ? { ...state, threeDsServerTransId: awaited.threeDsServerTransId } : state
}

export function markOf(step: AwaitedStep): string {
  return createHash('sha256').update(JSON.stringify(step)).digest('base64url').slice(0, 10)
}

const SIGNATURE_BYTES = 32

function signature(content: Uint8Array, key: Secret): Buffer {
  return createHmac('sha256', key.reveal()).update(PURPOSE).update(content).digest()
}
