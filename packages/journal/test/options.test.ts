import { memoryJournalStore } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { createJournal, type JournalOptions } from '../src/index.ts'
import { decidingClient } from './deciding-client.ts'
import { rebill } from './shop-process.ts'

const client = decidingClient()
const store = memoryJournalStore()
const journalWith = (options: object) => () => createJournal({ client, store, ...options } as JournalOptions<undefined>)

describe('createJournal names the option that is wrong', () => {
  test.each([
    [{ handlers: () => {} }, 'createJournal has no option handlers; it has client, store, handler, onStray'],
    [{ client: 'test-login' }, 'client must be a client, as createPaymentClient makes it: it has no status()'],
    [{ client: undefined }, 'client must be a client'],
    [{ store: 'shop.db' }, 'store must be a store, as sqliteJournalStore'],
    [{ store: Promise.resolve(store) }, 'store must be a store'],
    [{ handler: 'paid' }, 'handler must be a function'],
    [{ onStray: {} }, 'onStray must be a function'],
    [{ onEvent: console }, 'onEvent must be a function'],
    [{ isNoSuchOrder: '2' }, 'isNoSuchOrder must be a function'],
    [{ newName: 'x' }, 'newName must be a function'],
    [{ fraction: 0.5 }, 'fraction must be a function'],
    [{ clock: Date }, 'clock must be an object that tells the time: it has no'],
    [{ wakeups: {} }, 'wakeups must be an object such as pgBossWakeups makes: it has no listen()'],
    [{ repeatsGetFirstAnswer: 'yes' }, 'repeatsGetFirstAnswer must be true or false'],
    [{ exponents: 2 }, 'exponents must be one of always-2, iso-4217'],
    [{ pollMs: 0 }, 'pollMs must be a whole number above zero'],
    [{ deadlineMs: '70s' }, 'deadlineMs must be a whole number above zero'],
    [{ handlerTimeoutMs: -1 }, 'handlerTimeoutMs must be a whole number above zero'],
    [{ strayLimit: 1.5 }, 'strayLimit must be a whole number above zero'],
  ])('%o', (options, message) => {
    expect(journalWith(options)).toThrow(TypeError)
    expect(journalWith(options)).toThrow(message)
  })

  test('no options at all', () => {
    const wrong = createJournal as (options?: unknown) => unknown
    expect(() => wrong()).toThrow('createJournal takes an object with client, store')
  })
})

describe('pay and prepare name what is wrong, before anything is written', () => {
  const journal = createJournal({ client, store })
  const key = { profile: 'subscription 12', period: '2026-11' }
  const pay = journal.pay as (...given: readonly unknown[]) => Promise<unknown>
  const prepare = journal.prepare as (...given: readonly unknown[]) => Promise<unknown>

  test.each([
    [['invoice 77', 'sal', {}], 'There is no operation sal; the journal sends sale, '],
    [['invoice 77', 'toString', {}], 'There is no operation toString'],
    [['invoice 77', undefined, {}], 'There is no operation undefined'],
    [['invoice 77', 'status', {}], 'status neither moves money nor stores a card: call it on the client'],
    [['invoice 77', 'sale', undefined], 'The input of sale must be an object'],
    [['invoice 77', 'sale', []], 'The input of sale must be an object'],
    [['invoice 77', 'sale', { clientOrderId: 'order-a' }], 'clientOrderId must not be in the input of sale'],
    [[key, 'makeRebill', { ...rebill, clientOrderId: 'x' }], 'gives it in intent.clientOrderId of the result'],
    [['refund 1', 'return', { orderId: '9' }], 'return takes the clientOrderId of the order that it is about'],
    [['', 'sale', {}], 'A business key is a text'],
    [['invoice 77', 'sale', {}, { endpoint: '5' }], 'journal.pay has no option endpoint; it has attempt, endpointId'],
    [['invoice 77', 'sale', {}, { attempt: '2' }], 'attempt must be a whole number above zero'],
    [['invoice 77', 'sale', {}, { endpointId: '5', endpointGroupId: '6' }], 'exclude each other'],
    [['invoice 77', 'sale', {}, null], 'journal.pay takes an object with attempt'],
  ])('%o', async (given, message) => {
    await expect(pay(...given)).rejects.toThrow(message)
    await expect(pay(...given)).rejects.toThrow(TypeError)
    expect(await store.counts()).toEqual({})
  })

  test.each([
    [['invoice 77', 'sal', {}, undefined], 'There is no operation sal'],
    [['invoice 77', 'sale', { clientOrderId: 'order-a' }, undefined], 'clientOrderId must not be in the input of sale'],
    [['invoice 77', 'sale', {}, undefined, { endpoint: '5' }], 'journal.prepare has no option endpoint'],
  ])('prepare %o', async (given, message) => {
    await expect(prepare(...given)).rejects.toThrow(message)
    expect(await store.counts()).toEqual({})
  })

  test('a decision about a review', async () => {
    const decide = journal.settleReview as (...given: readonly unknown[]) => Promise<unknown>
    await expect(decide('1', 'charged', 'a note')).rejects.toThrow(
      'decision must be one of ask-again, take-status, nothing-charged, not charged',
    )
    await expect(decide('1', 'ask-again')).rejects.toThrow('note must be a text')
  })
})
