import type { Transport } from '@tallystick/client'
import type { Intent, JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { memoryStore, virtualClock } from '@tallystick/gateway'
import { createJournal, type Journal, memoryJournalStore } from '@tallystick/journal'
import { everyOrder, type Scene, type Turns } from '@tallystick/proof-kit'
import { startGateway } from '@tallystick/testing'
import { describe, expect, test } from 'vitest'
import { saleOf } from './shop.ts'

const SALE = saleOf({ amount: '10.42', currency: 'USD' })
const KEYS = ['invoice 76', 'invoice 77', 'refund 1', 'refund 2']

interface Lost {
  /** The operation whose replies are lost. */
  readonly lost?: string
}

/** A gateway, and a shop of two processes whose steps wait for their turns. */
async function world(turns: Turns, { lost }: Lost) {
  const clock = virtualClock()
  const orders = memoryStore()
  const gateway = await startGateway({ clock, store: orders, socket: false })
  const durable = memoryJournalStore()
  const told: JournalOutcome[] = []
  const sent: string[] = []

  function exchanging(who: string, own: Turns): Transport {
    const { transport } = gateway.merchant
    if (transport === undefined) throw new Error('The gateway has no socket')
    const send: Transport['send'] = async (request, options) => {
      const operation = new URL(request.url).pathname.split('/').at(-2) ?? ''
      return await own.step(`${who}: ${operation}`, async () => {
        if (operation !== 'status') sent.push(`${operation} ${request.body}`)
        const exchange = await transport.send(request, options)
        await gateway.settled()
        return operation === lost ? { kind: 'lost', seen: 'the connection was reset' } : exchange
      })
    }
    return { ...transport, send }
  }

  function start(who: string, own: Turns): Journal {
    return createJournal({
      client: gateway.client({ clock, transport: exchanging(who, own), readAttempts: 1 }),
      store: stepwise(who, durable, own),
      clock,
      fraction: () => 0.5,
      handler: ({ outcome }) => void told.push(outcome),
      onNotice: ({ notice }) => void told.push(notice),
      onEvent: () => {},
    })
  }
  return {
    clock,
    orders,
    durable,
    told,
    sent,
    one: start('one', turns),
    other: start('other', turns),
    next: () => start('next', AT_ONCE),
  }
}

type World = Awaited<ReturnType<typeof world>>

/** For a process that runs alone. */
const AT_ONCE: Turns = { step: (_, work) => work() }

/** Reads are done at once. Only writes wait, so that others may write between a read and what follows from it. */
function stepwise(who: string, store: JournalStore, turns: Turns): JournalStore {
  const waiting =
    <Given extends readonly unknown[], Done>(name: string, work: (...given: Given) => Promise<Done>) =>
    (...given: Given) =>
      turns.step(`${who} ${name}`, () => work(...given))
  return {
    ...store,
    insert: waiting('inserts', store.insert),
    update: waiting('updates', store.update),
    // Nothing is watched yet.
    claimDue: (claim) => (claim.watched ? store.claimDue(claim) : waiting('claims', store.claimDue)(claim)),
    renewLeases: waiting('renews', store.renewLeases),
    deliver: waiting('hands over', store.deliver),
  }
}

/** Checks that nothing was sent twice, that the journal says what the gateway has, and that its handler was called once. */
async function judge({ clock, orders, durable, told, sent, one, next }: World, hasDied: boolean) {
  const journal = hasDied ? next() : one
  for (let look = 0; look < 12; look++) {
    await clock.advance('3m')
    await journal.reconcile()
  }
  const findings = new Set<string>()
  if (new Set(sent).size < sent.length) findings.add('a request was sent twice')
  const kept = await orders.recentOrders('test-merchant', 10)
  for (const key of KEYS) {
    for (const intent of await durable.attemptsOf(key)) {
      const found = kept.find(({ clientOrderId }) => clientOrderId === intent.clientOrderId)
      const done = found?.operations.filter(({ kind }) => (kind === 'sale') === (intent.kind === 'opening')) ?? []
      for (const problem of problemsOf(intent, done.length, told)) findings.add(`${key}: ${problem}`)
    }
  }
  return [...findings]
}

function problemsOf({ intentId, kind, state }: Intent, done: number, told: readonly JournalOutcome[]): string[] {
  const times = told.filter((outcome) => outcome.intentId === intentId).length
  const problems: string[] = []
  if (times !== (state === 'FINAL' ? 1 : 0)) problems.push(`it is ${state}, and was reported ${times} times`)
  if (!ENDED.includes(state)) problems.push(`it is still ${state}`)
  if (kind === 'opening' && done !== (state === 'FINAL' ? 1 : 0))
    problems.push(`it is ${state}, and done ${done} times`)
  if (kind === 'modification' && done > 1) problems.push(`the order was changed ${done} times`)
  return problems
}

const ENDED: readonly Intent['state'][] = ['PREPARED', 'FINAL', 'PRESUMED_ABSENT']

interface Meeting extends Lost {
  readonly meet: (world: World) => Promise<Scene['actors']>
}

/** An order that was paid. */
async function paid({ one, clock }: World, key: string) {
  const { intent } = await one.pay(key, 'sale', SALE)
  await clock.advance('10s')
  await one.reconcile()
  return { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '', comment: 'broken' }
}

const MEETINGS: Readonly<Record<string, Meeting>> = {
  'a payment that two processes are asked for': {
    meet: async ({ one, other }) => [one, other].map((journal) => () => journal.pay('invoice 77', 'sale', SALE)),
  },
  'a payment whose reply is lost, and the status checks of another process': {
    lost: 'sale',
    meet: async ({ one, other }) => [() => one.pay('invoice 77', 'sale', SALE), () => other.reconcile()],
  },
  'two status checks of a payment': {
    meet: async ({ one, other, clock }) => {
      await one.pay('invoice 77', 'sale', SALE)
      await clock.advance('10s')
      return [one, other].map((journal) => () => journal.reconcile())
    },
  },
  'two refunds of the whole': {
    meet: async (made) => {
      const order = await paid(made, 'invoice 77')
      return [() => made.one.pay('refund 1', 'return', order), () => made.other.pay('refund 2', 'return', order)]
    },
  },
}

describe('whatever the order of the steps, and wherever the processes die:', () => {
  test.for(Object.entries(MEETINGS))('%s: it is done once, and reported once', async ([, { lost, meet }]) => {
    const explored = await everyOrder(async (turns) => {
      const made = await world(turns, lost === undefined ? {} : { lost })
      // At a gateway that knows no order at all, nothing is presumed absent.
      await paid(made, 'invoice 76')
      return {
        actors: await meet(made),
        passTime: () => made.clock.advance(200),
        judge: (hasDied) => judge(made, hasDied),
      }
    })
    expect(explored.findings).toEqual([])
    expect(explored.orders).toBeGreaterThan(10)
  })
})
