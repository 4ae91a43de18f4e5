import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@tallystick/proof-kit'
import type { ToShop } from './messages.ts'
import type { Place } from './place.ts'
import type { Purchase } from './purchase.ts'

/** Customers who press the button until the shop has told them the state of their payment. */
export interface Till {
  /** A shop reports the state of a payment. */
  paid(number: number, outcome: string): void
  /** Makes this many payments, each in its turn. Resolves when every customer has an answer. */
  open(orders: number, turnOf: (number: number) => Promise<unknown>): Promise<void>
  told(): number
}

export interface TillOptions {
  readonly shops: readonly Place<ToShop>[]
  readonly purchaseOf: (number: number) => Purchase
  readonly random: Random
  readonly isOver: () => boolean
}

/** A customer without an answer for this long presses again. */
const PATIENCE_MS = 3000
const AGAIN_AFTER_MS = 100
/** The percentage of customers who press twice, and reach both shops. */
const TWICE = 10
/** Answers after which nothing is decided about the payment: the customer presses again. */
const AGAIN: ReadonlySet<string> = new Set(['threw', 'notSent'])

export function till({ shops, purchaseOf, random, isOver }: TillOptions): Till {
  const waiting = new Map<number, (outcome: string | undefined) => void>()
  let told = 0

  function hears(number: number): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    waiting.set(number, resolve)
    const timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
    return promise.finally(() => clearTimeout(timer))
  }

  async function serve(number: number): Promise<void> {
    const order = { pay: number, purchase: purchaseOf(number) }
    for (;;) {
      const heard = hears(number)
      const first = random.below(shops.length)
      const those = random.below(100) < TWICE ? shops : shops.slice(first, first + 1)
      for (const shop of those) shop.tell(order)
      const outcome = await heard
      if (outcome !== undefined && !AGAIN.has(outcome)) break
      if (isOver()) return
      await pause(AGAIN_AFTER_MS)
    }
    waiting.delete(number)
    told++
  }

  return {
    paid: (number, outcome) => waiting.get(number)?.(outcome),
    open: async (orders, turnOf) => {
      const served: Promise<void>[] = []
      for (let number = 0; number < orders && !isOver(); number++) {
        await turnOf(number)
        served.push(serve(number))
      }
      await Promise.all(served)
    },
    told: () => told,
  }
}
