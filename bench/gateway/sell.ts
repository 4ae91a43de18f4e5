import assert from 'node:assert/strict'
import type { Store } from '../../packages/gateway/src/store/store.ts'
import type { Sale } from './store-rows.ts'

/** How many sales are in flight at a time. */
export const IN_FLIGHT = 64

/** Commits each sale as it is opened and as it is approved. */
export async function sell(store: Store, sales: readonly Sale[]): Promise<void> {
  const left = sales.values()
  const sellSome = async () => {
    for (const { opened, approved, at } of left) {
      assert.equal((await store.commit(opened, at)).ok, true)
      assert.equal((await store.commit(approved, at)).ok, true)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, sellSome))
}
