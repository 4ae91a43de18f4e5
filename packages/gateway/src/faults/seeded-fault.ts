import { hash } from 'node:crypto'
import { FAULT_NAMES, type FaultName, requireFault } from './faults.ts'

/** What a run of tests draws its faults from. */
export interface ChaosOptions {
  /** A whole number. The same seed gives the same faults to the same client order ids. Default: a random seed. */
  readonly seed?: number | undefined
  /** The faults to draw from. Default: all. */
  readonly faults?: readonly FaultName[] | undefined
  /** How likely an order is to have a fault, from 0 to 1. Default 1. */
  readonly probability?: number | undefined
}

export type Draw = Required<{ readonly [Name in keyof ChaosOptions]: NonNullable<ChaosOptions[Name]> }>

/**
 * The fault of an order, or none. For given options it depends only on the client order id: not on which other orders there
 * are, nor on which came first.
 */
export function drawFault(clientOrderId: string, { seed, faults, probability }: Draw): FaultName | undefined {
  const digest = hash('sha256', JSON.stringify([seed, clientOrderId]), 'buffer')
  if (digest.readUInt32BE(0) / 2 ** 32 >= probability) return undefined
  return faults[digest.readUInt32BE(4) % faults.length]
}

/** @throws TypeError that names what is wrong */
export function readDraw(options: ChaosOptions, fraction: () => number): Draw {
  const { seed = Math.floor(fraction() * 2 ** 32), faults = FAULT_NAMES, probability = 1 } = options
  if (!Number.isSafeInteger(seed) || seed < 0) throw new TypeError('seed must be a whole number from 0 on')
  if (!(probability >= 0 && probability <= 1)) throw new TypeError('probability must be a number from 0 to 1')
  if (!Array.isArray(faults) || faults.length === 0) throw new TypeError('faults must be a list of at least one fault')
  for (const fault of faults) requireFault(fault)
  return { seed, faults, probability }
}
