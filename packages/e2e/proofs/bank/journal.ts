import type { Decision, OperationRequest } from '@tallystick/gateway'

/** What a bank did, or was asked for and did not do. */
export type Entry = Deed | Refusal

/** Something that the bank carried out, written before it answers. */
export interface Deed extends Pick<OperationRequest, 'reference' | 'orderId' | 'kind' | 'amount' | 'currency'> {
  readonly did: 'execute' | 'authenticate'
  readonly decision: Decision
}

/**
 * `deny`: the bank answered that it had not carried this out, and from then on it never does. `repeat`: it was asked to carry out
 * the same again. `too late`: it was asked to carry out what it had denied.
 */
export interface Refusal {
  readonly did: 'deny' | 'repeat' | 'too late'
  readonly reference: string
}

/** The last deed of the bank for each operation, by its reference. */
export type Deeds = ReadonlyMap<string, Deed>

export function deedsIn(journal: readonly Entry[]): Deeds {
  return new Map(journal.flatMap((entry) => ('decision' in entry ? [[entry.reference, entry] as const] : [])))
}
