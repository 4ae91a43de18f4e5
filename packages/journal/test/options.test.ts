import { describe, expect, test } from 'vitest'
import { createJournal, memoryJournalStore, sqliteJournalStore } from '../src/index.ts'
import { decidingClient } from './deciding-client.ts'
import { rebill } from './shop-process.ts'

const client = decidingClient()
const store = memoryJournalStore()
const journalWith = (options: object) => () =>
  createJournal({ client, store, ...options } as Parameters<typeof createJournal<undefined>>[0])

describe('createJournal names the option that is wrong', () => {
  test.each([
    [{ handlers: () => {} }, 'createJournal: there is no option handlers; did you mean handler?'],
    [{ retries: 3 }, 'createJournal: there is no option retries; there are client, store, handler, onNotice'],
    [
      { client: 'test-login' },
      'createJournal: client must be a client, as createPaymentClient makes it, with status(), ',
    ],
    [{ client: undefined }, 'createJournal: client must be given: a client, as createPaymentClient makes it'],
    [{ store: 'shop.db' }, 'createJournal: store must be a store, as sqliteJournalStore'],
    [{ store: Promise.resolve(store) }, 'createJournal: store must be a store'],
    [{ handler: 'paid' }, 'createJournal: handler must be a function'],
    [{ onNotice: 'none' }, "createJournal: onNotice must be a function, or 'ignore'"],
    [{ onOrphan: {} }, 'createJournal: onOrphan must be a function'],
    [{ onOrphanNotice: {} }, "createJournal: onOrphanNotice must be a function, or 'ignore'"],
    [{ onNotice: () => {} }, 'createJournal: onNotice is never called without handler: give both or neither'],
    [
      { handler: () => {}, onNotice: 'ignore', onOrphanNotice: 'ignore' },
      'createJournal: onOrphanNotice is never called without onOrphan: give both or neither',
    ],
    [{ onEvent: console }, 'createJournal: onEvent must be a function'],
    [{ isNoSuchOrder: '2' }, 'createJournal: isNoSuchOrder must be a function'],
    [{ newName: 'x' }, 'createJournal: newName must be a function'],
    [{ fraction: 0.5 }, 'createJournal: fraction must be a function'],
    [{ clock: Date }, 'createJournal: clock must be a clock, with now(), schedule()'],
    [
      { wakeups: {} },
      'createJournal: wakeups must be what wakes, such as pgBossNotifier makes, with listen(), wake(), close()',
    ],
    [{ repeatsGetFirstAnswer: 'yes' }, 'createJournal: repeatsGetFirstAnswer must be true or false'],
    [{ pollMs: 0 }, 'createJournal: pollMs must be a number of milliseconds from 1 to 2147483647'],
    [{ deadlineMs: '70s' }, 'createJournal: deadlineMs must be a number of milliseconds from 1 to 2147483647'],
    [{ handlerTimeoutMs: -1 }, 'createJournal: handlerTimeoutMs must be a number of milliseconds from 1 to 2147483647'],
    // A timer that cannot keep it would fire at once.
    [
      { handlerTimeoutMs: 30 * 86_400_000 },
      'createJournal: handlerTimeoutMs must be a number of milliseconds from 1 to',
    ],
    [{ orphanLimit: 1.5 }, 'createJournal: orphanLimit must be a whole number from 1 on'],
  ])('%o', (options, message) => {
    expect(journalWith(options)).toThrow(TypeError)
    expect(journalWith(options)).toThrow(message)
  })

  test('no options at all', () => {
    const wrong = createJournal as (options?: unknown) => unknown
    expect(() => wrong()).toThrow('createJournal: the options must be an object')
  })

  test('a store that gets a file name instead of options', () => {
    const wrong = sqliteJournalStore as unknown as (file: string) => unknown
    expect(() => wrong('shop.db')).toThrow(new TypeError('sqliteJournalStore: the options must be an object, { file }'))
  })
})

describe('[F-C16] pay and prepare name what is wrong, before anything is written', () => {
  const journal = createJournal({ client, store })
  const key = { profile: 'subscription 12', period: '2026-11' }
  const pay = journal.pay as (...given: readonly unknown[]) => Promise<unknown>
  const prepare = journal.prepare as (...given: readonly unknown[]) => Promise<unknown>

  test.each([
    [['invoice 77', 'sal', {}], 'There is no operation sal; did you mean sale? The journal sends sale, '],
    [['invoice 77', 'sale_form', {}], 'There is no operation sale_form; it is called saleForm here'],
    [['invoice 77', 'make-rebill', {}], 'There is no operation make-rebill; it is called makeRebill here'],
    [['invoice 77', 'createSubscription', {}], 'it is called createRecurringPayment here'],
    [['invoice 77', 'wireTransfer', {}], 'There is no operation wireTransfer; the journal sends sale, '],
    [
      ['invoice 77', 'processRecurringPayments', {}],
      'one key cannot name: pay each with processRecurringPayment, under a key of its own',
    ],
    [['invoice 77', 'toString', {}], 'There is no operation toString'],
    [['invoice 77', 'refund', {}], 'There is no operation refund; it is called return here'],
    [['invoice 77', undefined, {}], "The operation must be a text, such as 'sale'"],
    [['sale', { amount: '10.42' }], 'takes the business key first, then the operation, then its input'],
    [['invoice 77', 'status', {}], 'status neither moves money nor stores a card: call it on the client'],
    [['invoice 77', 'sale', undefined], 'The input of sale must be an object'],
    [['invoice 77', 'sale', []], 'The input of sale must be an object'],
    [['invoice 77', 'sale', { clientOrderId: 'order-a' }], 'clientOrderId must not be in the input of sale'],
    [[key, 'makeRebill', { ...rebill, clientOrderId: 'x' }], 'gives it in intent.clientOrderId of the result'],
    [['refund 1', 'return', { orderId: '9' }], 'return needs the clientOrderId of the order that it is about'],
    [['', 'sale', {}], 'A business key must be a text'],
    [[77, 'sale', {}], "A business key must be your own name for the payment, such as 'invoice 77'"],
    [[undefined, 'sale', {}], "A business key must be your own name for the payment, such as 'invoice 77'"],
    [[{ period: '2026-11' }, 'makeRebill', rebill], "A rebill's profile must be a text"],
    [
      ['invoice 77', 'sale', {}, { endpoint: '5' }],
      'journal.pay: there is no option endpoint; did you mean endpointId?',
    ],
    [['invoice 77', 'sale', {}, { attempt: '2' }], "journal.pay: attempt must be a whole number from 1 on or 'next'"],
    [['invoice 77', 'sale', {}, { attempt: 'last' }], "must be a whole number from 1 on or 'next'"],
    [['invoice 77', 'sale', {}, { endpointId: '5', endpointGroupId: '6' }], 'exclude each other'],
    [['invoice 77', 'sale', {}, null], 'journal.pay: the options must be an object'],
  ])('%o', async (given, message) => {
    await expect(pay(...given)).rejects.toThrow(message)
    await expect(pay(...given)).rejects.toThrow(TypeError)
    expect(await store.counts()).toEqual({})
  })

  test.each([
    [['invoice 77', 'sal', {}, undefined], 'There is no operation sal'],
    [['invoice 77', 'sale', { clientOrderId: 'order-a' }, undefined], 'clientOrderId must not be in the input of sale'],
    [
      ['invoice 77', 'sale', {}, undefined, { endpoint: '5' }],
      'journal.prepare: there is no option endpoint; did you mean endpointId?',
    ],
  ])('prepare %o', async (given, message) => {
    await expect(prepare(...given)).rejects.toThrow(message)
    expect(await store.counts()).toEqual({})
  })

  test('a decision about a review', async () => {
    const decide = journal.resolveReview as (...given: readonly unknown[]) => Promise<unknown>
    await expect(decide('1', 'charged', 'a note')).rejects.toThrow(
      "journal.resolveReview: decision must be 'ask-again' or 'take-status' or 'nothing-charged' or { reference: a text, such as '531396663215663' }",
    )
    for (const decision of [null, {}, { reference: ' ' }])
      await expect(decide('1', decision, 'a note')).rejects.toThrow('journal.resolveReview: decision must be')
    await expect(decide('1', 'ask-again')).rejects.toThrow('journal.resolveReview: note must be given: a text')
  })
})

test('a Node that is too old is named at once', () => {
  const { withResolvers } = Promise
  Reflect.deleteProperty(Promise, 'withResolvers')
  try {
    expect(journalWith({})).toThrow(
      `createJournal: Node ${process.version} is too old; it needs Node 22.19, 24.11, 26 or newer`,
    )
  } finally {
    Promise.withResolvers = withResolvers
  }
})
