import { setTimeout as pause } from 'node:timers/promises'
import { showMoney } from '../money.ts'
import type { LedgerRow } from '../rows/order.ts'
import type { World } from '../world/world.ts'

const PATIENCE_MS = 20_000
const BETWEEN_MS = 25

/** Waits until the journal has reported an outcome of the payment to the shop, and gives the latest one. */
export async function outcomeOf({ database }: Pick<World, 'database'>, businessKey: string): Promise<LedgerRow> {
  for (let waited = 0; waited < PATIENCE_MS; waited += BETWEEN_MS) {
    const told = database.rows.ledgerOf(businessKey).at(-1)
    if (told !== undefined) return told
    await pause(BETWEEN_MS)
  }
  throw new Error(`The journal has reported no outcome of "${businessKey}" for ${PATIENCE_MS / 1000} s`)
}

/** An outcome as the journey prints it: `$10.42 approved`. */
export function shown({ amount, currency, status }: LedgerRow): string {
  return amount === undefined || currency === undefined ? status : `${showMoney(amount, currency)} ${status}`
}
