import type { Sharing } from '../store/sharing.ts'
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
  await takeUpLeft(service)
  agenda.wake()
}

/**
 * Looks up what was sent by processes that are gone (SAFETY.md part 5). Where several share the store, a process that is
 * alive may be waiting for the acquirer at this moment: only what the store gives to this one is looked up. Resolves when
 * it is known what that is.
 */
export async function takeUpLeft(service: Service): Promise<void> {
  const { store, background } = service
  const left = store.sharing === undefined ? await leftByAll(service) : await leftByGone(store.sharing, service)
  background.run(() => atMost(AT_ONCE, left, (sent) => background.runToEnd(() => lookUpSent(sent, service))))
}

/** Whoever sent them was this store's only process. */
async function leftByAll(service: Service): Promise<readonly SentOperation[]> {
  const left: SentOperation[] = []
  for (const orderId of await service.store.sentOrders(Number.MAX_SAFE_INTEGER, MOST_SENT)) {
    left.push(...(await sentOperations(orderId, service)))
  }
  return left
}

async function leftByGone(sharing: Sharing, service: Service): Promise<readonly SentOperation[]> {
  const left: SentOperation[] = []
  for (const { orderId, operationId } of await sharing.takeLeftOperations(MOST_SENT)) {
    const sent = await sentOperations(orderId, service)
    left.push(...sent.filter(({ operation }) => operation.id === operationId))
  }
  return left
}
