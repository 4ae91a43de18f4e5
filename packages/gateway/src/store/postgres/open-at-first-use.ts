import type { Cluster, KeyFingerprints, Store } from '../store.ts'
import { StoreError } from '../store-error.ts'

/** A store that several processes share. */
export interface SharedStore extends Store {
  readonly cluster: Cluster
  readonly keyFingerprints: KeyFingerprints
}

/**
 * A store that is opened at its first use, or by `ready`, which throws why it cannot be opened. If it cannot, the next use tries again.
 */
export function openAtFirstUse(open: () => Promise<SharedStore>): SharedStore & { ready(): Promise<void> } {
  const watches = new Set<{ readonly look: () => void; stop: () => void }>()
  let opening: Promise<SharedStore> | undefined
  let opened: SharedStore | undefined
  let isClosed = false

  async function openWatched(): Promise<SharedStore> {
    opened = await open()
    for (const watch of watches) watch.stop = opened.cluster.onWake(watch.look)
    return opened
  }

  function store(): Promise<SharedStore> {
    if (isClosed && opened === undefined) return Promise.reject(new StoreError('CLOSED', 'The store is closed'))
    opening ??= openWatched().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  return {
    ready: async () => void (await store()),
    durable: true,
    cluster: {
      // Nothing is sent before it is written, so before the store is opened nothing depends on this.
      isAlive: () => opened?.cluster.isAlive() ?? false,
      mayClaim: () => opened?.cluster.mayClaim() ?? false,
      takeAbandonedOperations: async (limit, isUnderWay) =>
        await (await store()).cluster.takeAbandonedOperations(limit, isUnderWay),
      onWake: (look) => {
        const watch = { look, stop: opened?.cluster.onWake(look) ?? (() => {}) }
        watches.add(watch)
        return () => {
          watches.delete(watch)
          watch.stop()
        }
      },
    },
    keyFingerprints: {
      note: async (checks) => await (await store()).keyFingerprints.note(checks),
      isInUse: async (keyId) => await (await store()).keyFingerprints.isInUse(keyId),
    },
    commit: async (change, now) => await (await store()).commit(change, now),
    findOrder: async (names) => await (await store()).findOrder(names),
    orderById: async (orderId) => await (await store()).orderById(orderId),
    orderByPageToken: async (token) => await (await store()).orderByPageToken(token),
    sentOrders: async (before, limit) => await (await store()).sentOrders(before, limit),
    postingsOf: async (orderId) => await (await store()).postingsOf(orderId),
    deliveriesOf: async (orderId) => await (await store()).deliveriesOf(orderId),
    tasksOf: async (orderId) => await (await store()).tasksOf(orderId),
    claimDeliveries: async (claim) => await (await store()).claimDeliveries(claim),
    claimTasks: async (claim) => await (await store()).claimTasks(claim),
    listDue: async (limit) => await (await store()).listDue(limit),
    nextDueAt: async () => await (await store()).nextDueAt(),
    pullBack: async (limits) => await (await store()).pullBack(limits),
    card: async (cardId) => await (await store()).card(cardId),
    cardReference: async (login, referenceId) => await (await store()).cardReference(login, referenceId),
    cardsNotUnder: async (keyId, after, limit) => await (await store()).cardsNotUnder(keyId, after, limit),
    rewrapCard: async (card, from) => await (await store()).rewrapCard(card, from),
    recurringPayment: async (login, clientOrderId) => await (await store()).recurringPayment(login, clientOrderId),
    recurringPaymentById: async (id) => await (await store()).recurringPaymentById(id),
    recentOrders: async (login, limit) => await (await store()).recentOrders(login, limit),
    listOrders: async (query) => await (await store()).listOrders(query),
    listGivenUp: async (query) => await (await store()).listGivenUp(query),
    operatorRecords: async (filter) => await (await store()).operatorRecords(filter),
    reset: async () => await (await store()).reset(),
    isReady: async () => {
      try {
        return await (await store()).isReady()
      } catch {
        return false
      }
    },
    close: async () => {
      isClosed = true
      const open = await opening?.catch(() => undefined)
      await open?.close()
    },
  }
}
