import type { Decision, Instruction } from '@tallystick/gateway'

/** What a bank did, or was asked for and did not do. */
export type Entry = Deed | Refusal

/** Something that it carried out: before anybody hears of it, it is written down. */
export interface Deed extends Pick<Instruction, 'reference' | 'orderId' | 'kind' | 'amount' | 'currency'> {
  readonly did: 'execute' | 'authenticate'
  readonly decision: Decision
}

/**
 * `deny`: it told that it never carried this out, and from then on it never does. `repeat`: it was asked to carry out what
 * it had been asked for before; `too late`: what it had denied.
 */
export interface Refusal {
  readonly did: 'deny' | 'repeat' | 'too late'
  readonly reference: string
}

/** The last that the bank did about each operation, by its reference. */
export type Deeds = ReadonlyMap<string, Deed>

export function deedsIn(journal: readonly Entry[]): Deeds {
  return new Map(journal.flatMap((entry) => ('decision' in entry ? [[entry.reference, entry] as const] : [])))
}
