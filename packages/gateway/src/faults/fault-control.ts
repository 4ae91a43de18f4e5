import type { OperationKey } from '@tallystick/core'
import type { FaultName } from './faults.ts'

/** Faults on demand, for tests. Only this process knows the faults requested here, and they end with it. */
export interface FaultControl {
  /** The seed that orders draw their faults by: the same seed replays a run. `undefined`: they draw none. */
  readonly seed: number | undefined
  /**
   * Gives the fault to the next request of this operation: to its reply, or else to the order that it names. A second call
   * is for the request after that.
   */
  next(operation: OperationKey, fault: FaultName): void
  /** Adds the fault to this order: to its next request that changes something, its next operation or its callbacks. */
  forOrder(clientOrderId: string, fault: FaultName): void
  /**
   * Forgets which faults were requested and which happened. An order that has a fault by the seed, its amount or its card
   * is struck again.
   */
  clear(): void
  list(): FaultList
}

/** The faults that were requested and have not happened yet, and those that happened. */
export interface FaultList {
  readonly seed: number | undefined
  readonly next: ReadonlyArray<{ readonly operation: OperationKey; readonly fault: FaultName }>
  readonly orders: ReadonlyArray<{ readonly clientOrderId: string; readonly fault: FaultName }>
  /** The last thousand faults of replies and outcomes. */
  readonly struck: ReadonlyArray<{ readonly clientOrderId: string | undefined; readonly fault: FaultName }>
}

/** For a gateway that is not a sandbox: it refuses to be given faults, and says why. */
export const noFaultControl: FaultControl = {
  seed: undefined,
  next: refuse,
  forOrder: refuse,
  clear: () => {},
  list: () => ({ seed: undefined, next: [], orders: [], struck: [] }),
}

function refuse(): never {
  throw new TypeError('faults are for a sandbox alone: create the gateway with sandbox: true')
}
