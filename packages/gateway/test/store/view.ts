import type { Store } from '../../src/store/store.ts'

/** What may be in a store, by the names that a test uses. */
export interface Universe {
  readonly logins: readonly string[]
  readonly clientOrderIds: readonly string[]
  readonly orderIds: readonly string[]
  readonly serialNumbers: readonly string[]
  readonly tokens: readonly string[]
  readonly cardIds: readonly string[]
  readonly referenceIds: readonly string[]
}

/** Everything that a store answers to questions that change nothing. */
export async function viewOf(store: Store, universe: Universe): Promise<unknown> {
  const { logins, clientOrderIds, orderIds, serialNumbers, tokens, cardIds, referenceIds } = universe
  const names = logins.flatMap((login) => clientOrderIds.map((clientOrderId) => ({ login, clientOrderId })))
  const bySerial = names.flatMap((name) => serialNumbers.map((serialNumber) => ({ ...name, serialNumber })))
  return {
    byId: await all(orderIds, (orderId) => store.orderById(orderId)),
    byName: await all(names, async (name) => (await store.findOrder(name))?.orderId),
    byNameAndId: await all(names, async (name) => (await store.findOrder({ ...name, orderId: orderIds[0] }))?.orderId),
    bySerial: await all(bySerial, async (name) => (await store.findOrder(name))?.orderId),
    byPageToken: await all(tokens, async (token) => (await store.orderByPageToken(token))?.orderId),
    sent: [await store.sentOrders(Number.MAX_SAFE_INTEGER, 100), await store.sentOrders(1_900_000_000_500, 2)],
    recent: await all(logins, async (login) => (await store.recentOrders(login, 3)).map(({ orderId }) => orderId)),
    listed: await all([1, 9], (limit) => store.listOrders({ limit })),
    inHand: await store.listOrders({ limit: 9, last: [{ status: 'sent' }, { status: 'approved', kind: 'preauth' }] }),
    givenUp: await store.listGivenUp({ limit: 9 }),
    postings: await all(orderIds, (orderId) => store.postingsOf(orderId)),
    deliveries: await all(orderIds, (orderId) => store.deliveriesOf(orderId)),
    due: await store.listDue(9),
    nextDueAt: await store.nextDueAt(),
    cards: await all(cardIds, (cardId) => store.card(cardId)),
    otherKeys: [await store.cardsNotUnder('key-1', '', 100), await store.cardsNotUnder('key-2', cardIds[0] ?? '', 2)],
    references: await all(logins, (login) => all(referenceIds, (id) => store.cardReference(login, id))),
    recurring: await all(names, ({ login, clientOrderId }) => store.recurringPayment(login, clientOrderId)),
    recurringById: await all(clientOrderIds, (id) => store.recurringPaymentById(`of ${id}`)),
  }
}

/** Asks one after another, so that stores are asked in a known order. */
async function all<Item, Answer>(items: readonly Item[], ask: (item: Item) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const item of items) answers.push(await ask(item))
  return answers
}
