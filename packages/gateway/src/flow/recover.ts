import type { Agenda } from './agenda.ts'
import { lookUpSent } from './lookup.ts'
import type { Service } from './service.ts'

/** More than can be under way at once. */
const MOST_SENT = 1_000_000

/**
 * Takes up what the last process left in the store: operations that it had sent are looked up, and what is due is seen
 * to. Resolves when it is known what these are, before anything new is sent.
 */
export async function recover(service: Service, agenda: Agenda): Promise<void> {
  const { store, background } = service
  const sent = await store.sentOrders(Number.MAX_SAFE_INTEGER, MOST_SENT)
  for (const orderId of sent) background.run(() => lookUpSent(orderId, service))
  agenda.wake()
}
