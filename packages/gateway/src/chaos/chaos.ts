import type { OperationKey } from '@tallystick/core'
import type { FaultName } from './faults.ts'

/** Faults on demand, for tests. What is asked for here is known to this process alone, and gone with it. */
export interface Chaos {
  /** What orders draw their faults from: the same seed replays a run. `undefined`: they draw none. */
  readonly seed: number | undefined
  /**
   * The next request of this operation has the fault: its reply, or else the order that it names. Asked for again, the
   * one after it has the next.
   */
  next(operation: OperationKey, fault: FaultName): void
  /** This order has the fault, besides others: its next request that changes something, its next operation, its callbacks. */
  forOrder(clientOrderId: string, fault: FaultName): void
  /**
   * Forgets what was asked for, and what happened: an order that has a fault by the seed, by its amount or by its card is
   * struck again.
   */
  clear(): void
  list(): ChaosList
}

/** What was asked for and did not happen yet, and what happened. */
export interface ChaosList {
  readonly seed: number | undefined
  readonly next: ReadonlyArray<{ readonly operation: OperationKey; readonly fault: FaultName }>
  readonly orders: ReadonlyArray<{ readonly clientOrderId: string; readonly fault: FaultName }>
  /** Of replies and outcomes, the last thousand. */
  readonly struck: ReadonlyArray<{ readonly clientOrderId: string | undefined; readonly fault: FaultName }>
}

/** What a gateway that is no sandbox has: whoever asks for a fault there is told so. */
export const noChaos: Chaos = {
  seed: undefined,
  next: refuse,
  forOrder: refuse,
  clear: () => {},
  list: () => ({ seed: undefined, next: [], orders: [], struck: [] }),
}

function refuse(): never {
  throw new TypeError('faults are for a sandbox alone: create the gateway with sandbox: true')
}
