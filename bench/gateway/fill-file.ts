import assert from 'node:assert/strict'
import { sqliteStore } from '../../packages/gateway/src/store/sqlite/sqlite-store.ts'
import { saleOf } from './store-rows.ts'

/** How many sales share a commit. */
const AT_ONCE = 1_000

/** Writes approved sales to a file as the gateway's store does. */
export async function fillFile(file: string, orders: number): Promise<void> {
  const store = sqliteStore({ file })
  for (let first = 0; first < orders; first += AT_ONCE) {
    const sales = Array.from({ length: Math.min(AT_ONCE, orders - first) }, (_, at) => saleOf(first + at))
    for (const moment of ['opened', 'approved'] as const) {
      const committed = await Promise.all(sales.map((sale) => store.commit(sale[moment], sale.at)))
      assert.ok(committed.every(({ ok }) => ok))
    }
  }
  await store.close()
}
