import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StoredOperation, StoredOrder } from '../../src/orders/order.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import type { Change, Store } from '../../src/store/store.ts'
import { card, delivery, later, NOW, operation, order, postings, recurring, reference, task } from './changes.ts'
import { PlainStore } from './plain-store.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'
import { sqliteFile } from './sqlite-file.ts'
import type { Opened } from './suite.ts'
import { type Universe, viewOf } from './view.ts'

const UNIVERSE: Universe = {
  logins: ['shop', 'other'],
  clientOrderIds: ['invoice-0', 'invoice-1', 'invoice-2'],
  orderIds: [0, 1, 2, 3, 4, 5].map((digits) => order(digits).orderId),
  serialNumbers: ['serial-1', 'serial-2'],
  tokens: ['token-0', 'token-1'],
  cardIds: ['card-0', 'card-1', 'card-2'],
  referenceIds: ['0', '1'],
}

const small = (most: number) => fc.nat({ max: most })
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 })

/** What a change does. The small numbers choose among what is there when it is made. */
const step = fc.record({
  digits: small(5),
  opens: fc.boolean(),
  stale: fc.integer({ min: 0, max: 12 }).map((n) => n === 0),
  other: fc.boolean(),
  name: small(2),
  repeats: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  status: fc.constantFrom('created', 'sent', 'approved', 'declined', 'processing', 'unknown'),
  appends: fc.boolean(),
  token: some(small(1)),
  touchesOrder: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  nonce: some(fc.record({ text: small(1), seconds: fc.constantFrom(-301, -300, -1, 0, 1, 300, 301) })),
  books: fc.boolean(),
  delivery: some(fc.record({ id: small(1), due: some(small(9)), made: small(9) })),
  attempt: some(fc.record({ due: some(small(9)), made: small(9), isHeld: fc.boolean() })),
  task: some(fc.record({ id: small(2), due: small(9) })),
  done: some(small(2)),
  card: some(fc.record({ id: small(2), key: small(1) })),
  reference: some(small(1)),
  recurring: some(small(2)),
  impossible: fc.integer({ min: 0, max: 15 }).map((n) => n === 0),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What is done at once, and how much time passes before. The clock is never set back: stores may then refuse other nonces. */
const batch = fc.record({
  passed: fc.constantFrom(0, 0, 1, 500, 400_000),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  claim: some(fc.record({ of: fc.constantFrom('claimDeliveries', 'claimTasks'), limit: small(3), for: small(9) })),
  rewrap: some(fc.record({ id: small(2), from: small(1) })),
})
type Batch = typeof batch extends fc.Arbitrary<infer Value> ? Value : never

function changeOf(given: Step, model: PlainStore, now: number): Change {
  const existing = model.orders.find(({ order: { orderId } }) => orderId === order(given.digits).orderId)?.order
  const about = existing ?? model.orders[0]?.order
  const hasCard = model.cards.length > 0
  return {
    ...(given.touchesOrder ? { order: orderChange(given, existing, model) } : {}),
    nonce: given.nonce && {
      consumerKey: 'shop',
      nonce: `n${given.nonce.text}`,
      timestamp: Math.floor(now / 1000) + given.nonce.seconds,
    },
    cards: given.card && [card(`card-${given.card.id}`, { keyId: `key-${given.card.key + 1}` })],
    references: given.reference !== undefined && hasCard ? [reference(`${given.reference}`, anyCard(model))] : [],
    recurringPayment:
      given.recurring !== undefined && hasCard
        ? recurring(`invoice-${given.recurring}`, { cardId: anyCard(model) })
        : undefined,
    doneTasks: given.done === undefined ? [] : [`t${given.done}`],
    ...(about === undefined ? {} : belongings(given, about, model, now)),
  }
}

function anyCard(model: PlainStore): string {
  return model.cards.at(-1)?.cardId ?? ''
}

/** What may be written with an existing order. */
function belongings(given: Step, about: StoredOrder, model: PlainStore, now: number): Change {
  const isBooked = model.postings.some(({ orderId }) => orderId === about.orderId)
  const { delivery: sent, attempt, task: due } = given
  const inHand = model.deliveries.find(({ orderId }) => orderId === about.orderId)
  return {
    postings: given.books && !isBooked ? postings(about, 5n, { at: now }) : [],
    deliveries: sent && [
      delivery(about, {
        id: `${about.orderId}-${sent.id}`,
        dueAt: sent.due === undefined ? undefined : now + sent.due,
        made: sent.made,
      }),
    ],
    attempts: attempt &&
      inHand && [
        {
          delivery: { ...inHand, dueAt: attempt.due === undefined ? undefined : now + attempt.due, made: attempt.made },
          claimedUntil: attempt.isHeld ? inHand.dueAt : now + attempt.made,
        },
      ],
    tasks: due && [task(about, { id: `t${due.id}`, dueAt: now + due.due })],
  }
}

function orderChange(given: Step, existing: StoredOrder | undefined, model: PlainStore) {
  const isFree = (token: string) => !model.orders.some((each) => each.order.details.pages?.token === token)
  const token = given.token === undefined || !isFree(`token-${given.token}`) ? undefined : `token-${given.token}`
  const pages = token === undefined ? undefined : ({ token, form: 'sale' } as const)
  const details = { payer: {}, addresses: {}, pages: pages ?? existing?.details.pages }
  const first = order(given.digits, {
    login: given.other ? 'other' : 'shop',
    clientOrderId: `invoice-${given.name}`,
    operations: [operation({ kind: 'preauth', amount: 100n, statusAt: NOW + given.digits })],
    details,
  })
  if (given.opens || existing === undefined) {
    return { order: first, basedOn: 'nothing', repeatsAllowed: given.repeats } as const
  }
  const after = later(existing, { operations: moved(given, existing.operations), details })
  if (given.stale) return { order: { ...after, version: after.version - 1 }, basedOn: existing.version - 1 }
  return { order: after, basedOn: existing.version }
}

function moved(given: Step, operations: readonly StoredOperation[]): readonly StoredOperation[] {
  const [hold] = operations
  const isHeld = hold?.status === 'approved'
  const capture = operation({ id: `${operations.length + 1}`, kind: 'capture', amount: 10n })
  if (given.appends && isHeld && operations.length < 10) return [...operations, capture]
  const last = operations.length - 1
  const keepsHold = isHeld && last === 0
  return operations.map((each, at) => (at === last && !keepsHold ? { ...each, status: given.status as 'sent' } : each))
}

/** A change that captures more than the hold, or books half a posting. Nothing of it may be written, whatever else is in it. */
function impossible(change: Change): Change {
  if (change.order === undefined) return { ...change, postings: postings(order(0), 5n).slice(1) }
  const hold = operation({ kind: 'preauth', amount: 100n, status: 'approved' })
  const operations = [hold, operation({ id: '2', kind: 'capture', amount: 101n })]
  const { basedOn } = change.order
  const added = { ...change.order.order, operations }
  return basedOn === 'nothing'
    ? { ...change, order: { ...change.order, order: added } }
    : { postings: postings(added, 5n).slice(1) }
}

/** Does the same to the store and to the model, all of a batch at once. */
async function play({ steps, claim, rewrap }: Batch, now: number, store: Store, model: PlainStore): Promise<number> {
  const answers: Promise<unknown>[] = []
  const expected: unknown[] = []
  for (const each of steps) {
    const change = changeOf(each, model, now)
    const broken = impossible(change)
    if (each.impossible && wouldBeWritten(broken, model)) {
      answers.push(store.commit(broken, now).then(String, () => 'refused'))
      expected.push('refused')
    }
    answers.push(store.commit(change, now))
    expected.push(await model.commit(change, now))
  }
  if (rewrap !== undefined) {
    const from = card(`card-${rewrap.id}`, { keyId: `key-${rewrap.from + 1}` })
    const to = { ...from, keyId: 'key-2', wrappedKey: Uint8Array.of(rewrap.from) }
    answers.push(store.rewrapCard(to, from))
    expected.push(await model.rewrapCard(to, from))
  }
  expect(await Promise.all(answers)).toEqual(expected)
  if (claim !== undefined) {
    const terms = { now, until: now + claim.for + 1, limit: claim.limit }
    expect(await store[claim.of](terms)).toEqual(await model[claim.of](terms))
  }
  return steps.length
}

/** Whether a change has no conflict. A store checks for conflicts before anything else. */
function wouldBeWritten({ order: change, recurringPayment, nonce }: Change, model: PlainStore): boolean {
  if (recurringPayment !== undefined || nonce !== undefined) return false
  if (change === undefined) return true
  const { orderId, login, clientOrderId } = change.order
  return !model.orders.some(
    (each) =>
      each.order.orderId === orderId || (each.order.login === login && each.order.clientOrderId === clientOrderId),
  )
}

/** After how many batches everything is compared, which takes longer than a batch. */
const LOOKED_AT_EVERY = 5

async function history(batches: readonly Batch[], open: () => Opened | Promise<Opened>): Promise<number> {
  const opened = await open()
  const model = new PlainStore()
  let now = NOW
  let changes = 0
  try {
    for (const [at, each] of batches.entries()) {
      now += each.passed
      changes += await play(each, now, opened.store, model)
      if (at % LOOKED_AT_EVERY !== 0) continue
      expect(await viewOf(opened.store, UNIVERSE)).toEqual(await viewOf(model, UNIVERSE))
    }
    expect(await viewOf(await opened.again(), UNIVERSE)).toEqual(await viewOf(model, UNIVERSE))
  } finally {
    await opened.end()
  }
  return changes
}

const inMemory = (): Opened => {
  const store = memoryStore()
  return { store, again: async () => store, end: () => store.close() }
}

let database: PostgresDatabase
beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

describe.for([
  ['in memory', inMemory, 100],
  ['in SQLite', () => sqliteFile().open({ cachedOrders: 4 }), 100],
  // Every question goes to a server and back, so there are fewer runs, and failures are not shortened.
  ['in PostgreSQL', () => database.open({ cachedOrders: 4 }), 8],
] as const)('a random history %s', ([, open, numRuns]) => {
  test('leaves what the contract says', { timeout: 120_000 }, async () => {
    let changes = 0
    const batches = fc.array(batch, { minLength: 20, maxLength: 30, size: 'max' })
    const property = fc.asyncProperty(batches, async (given) => {
      changes += await history(given, open)
    })
    await fc.assert(property, { numRuns, endOnFailure: numRuns < 100 })
    // On average there are about a hundred.
    expect(changes).toBeGreaterThan(50 * numRuns)
  })
})
