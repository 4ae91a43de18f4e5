import { afterAll, expect, onTestFinished, TestRunner } from 'vitest'
import type { MerchantOptions } from '../../src/index.ts'
import { auditOrder } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/store-port.ts'

/**
 * Audits the books of a store when the test ends, or at the end of the file if no test is running: the postings of every order
 * sum to zero, and are those that its operations make.
 */
export function auditAtTheEnd(store: Store, merchants: readonly Pick<MerchantOptions, 'login'>[]): void {
  const audit = async () => expect(await wrongBooks(store, merchants)).toEqual([])
  if (TestRunner.getCurrentTest() === undefined) afterAll(audit)
  else onTestFinished(audit)
}

/** What is wrong with the books of any order, in words. */
async function wrongBooks(store: Store, merchants: readonly Pick<MerchantOptions, 'login'>[]): Promise<string[]> {
  const orders = await Promise.all(merchants.map(({ login }) => store.recentOrders(login.trim(), 1_000_000)))
  const audits = orders.flat().map(async (order) => {
    const found = auditOrder(order, await store.postingsOf(order.orderId))
    return found.map((problem) => `${order.orderId}: ${problem}`)
  })
  return (await Promise.all(audits)).flat()
}
