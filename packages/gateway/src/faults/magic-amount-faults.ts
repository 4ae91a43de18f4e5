import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { FAULT_NAMES, FAULTS, type FaultName } from './faults.ts'

/** What may mark an order with a fault, as far as the gateway stores it. */
export interface Marks {
  /** In minor units. */
  readonly amount: bigint | undefined
  readonly cards: readonly ShownCard[]
}

interface ShownCard {
  readonly bin?: string | undefined
  readonly lastFourDigits?: string | undefined
}

/** The faults that an amount or a test card stands for. */
export function markedFaults({ amount, cards }: Marks): readonly FaultName[] {
  return FAULT_NAMES.filter((name) => {
    const fault = FAULTS[name]
    return fault.amount === amount || cards.some((shown) => isCard(fault.card, shown))
  })
}

export function marksOf(order: StoredOrder): Marks {
  const { card, destination } = order.details
  return { amount: openingOperation(order).amount, cards: [card ?? {}, destination ?? {}] }
}

function isCard(card: string, { bin, lastFourDigits }: ShownCard): boolean {
  return card.slice(0, 6) === bin && card.slice(-4) === lastFourDigits
}
