import type { Agenda } from './agenda.ts'
import { atMost } from './at-most.ts'
import { lookUpSent, type SentOperation, sentOperations } from './lookup.ts'
import type { Service } from './service.ts'

/** More than can be under way at once. */
const MOST_SENT = 1_000_000
/** Look-ups that go on at a time: the acquirer has to answer to whoever pays now, too. */
const AT_ONCE = 64

/**
 * Takes up what the last process left in the store: operations that it had sent are looked up, and what is due is seen
 * to. Resolves when it is known what these are, before anything new is sent.
 */
export async function recover(service: Service, agenda: Agenda): Promise<void> {
  const { store, background } = service
  const left: SentOperation[] = []
  for (const orderId of await store.sentOrders(Number.MAX_SAFE_INTEGER, MOST_SENT)) {
    left.push(...(await sentOperations(orderId, service)))
  }
  background.run(() => atMost(AT_ONCE, left, (sent) => background.runToEnd(() => lookUpSent(sent, service))))
  agenda.wake()
}
