import type { Intent, JournalOutcome } from '@tallystick/client'
import { expect, test } from 'vitest'
import { type JournalEvent, memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { type Answer, shopProcess, statusReply } from '../shop-process.ts'

const HOUR = 60 * 60_000

/** A process that finds these intents in its store. */
async function finding(intents: (now: number) => readonly Partial<Intent>[], answer: Answer) {
  const clock = handClock()
  const store = memoryJournalStore()
  for (const changes of intents(clock.now())) await store.insert(intentWith(changes))
  const events: JournalEvent['type'][] = []
  const told: JournalOutcome[] = []
  const onEvent = ({ type }: JournalEvent) => void events.push(type)
  const { journal } = shopProcess({
    store,
    clock,
    answer,
    onEvent,
    handler: ({ outcome }) => void told.push(outcome),
  })
  return { clock, store, journal, events, told }
}

test('A callback that comes while the status is asked has it asked again two seconds later', async () => {
  const asked: number[] = []
  const open = (now: number) => [{ state: 'ACCEPTED', orderId: '9', createdAt: now - HOUR, nextCheckAt: now } as const]
  const shop = await finding(open, async (_operation, request) => {
    asked.push(shop.clock.now())
    const callback = { clientOrderId: 'order-a', orderId: '9', status: 'approved' }
    if (asked.length === 1) await shop.journal.inbox.receive(callback)
    return statusReply(request, { status: 'processing' })
  })
  const began = shop.clock.now()
  shop.journal.start()
  await shop.clock.goOn(5000)
  expect(asked.map((at) => at - began)).toEqual([0, 2000])
  await shop.journal.close()
})

test('A card that a process died of while it was being stored is told to a person', async () => {
  const dead = { leaseOwner: 'dead', leaseUntil: 5, nextCheckAt: 5 }
  const storing = () => [{ ...dead, kind: 'card', operation: 'createCardRef', state: 'SENDING', sends: 1 } as const]
  const { journal, store, events } = await finding(storing, async () => Promise.reject(new Error('nothing is asked')))
  await journal.reconcile()
  const free = { leaseOwner: undefined, leaseUntil: undefined, nextCheckAt: undefined }
  expect(await store.find('intent-1')).toMatchObject({ state: 'REVIEW', reviewReason: 'NO_STATUS', ...free })
  expect(events).toEqual(['REVIEW'])
})

test('A return of another order under the same client order id holds up nothing', async () => {
  const observed = { status: 'approved', transactionType: 'sale', amount: '1042' }
  const refund = { intentId: '2', businessKey: 'refund', kind: 'modification', operation: 'return' } as const
  const two = (now: number): readonly Partial<Intent>[] => [
    { state: 'FINAL', status: 'approved', orderId: '9', observed, nextCheckAt: now, createdAt: now },
    { ...refund, state: 'REVIEW', orderId: '8', holdsOrder: true },
  ]
  const chargedBack = { status: 'approved', 'transaction-type': 'chargeback', amount: '5.42' }
  const { journal, told } = await finding(two, async (_operation, request) => statusReply(request, chargedBack))
  await journal.reconcile()
  expect(told).toMatchObject([{ kind: 'notice', transactionType: 'chargeback', amount: '500' }])
})
