import { isFinalStatus } from '@tallystick/core'
import { everyOrder, type Scene, type Touch, type Turns } from '@tallystick/proof-kit'
import { describe, expect, test } from 'vitest'
import { type Acquirer, type Decision, memoryStore, virtualClock } from '../../src/index.ts'
import { auditOrder } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/store-port.ts'
import { declined, UNKNOWN } from '../support/acquirers.ts'
import { desk, type Ids } from '../support/desk.ts'
import { STEPS } from '../support/issuer.ts'
import { merchants, NOW, SALE } from '../support/signed-requests.ts'
import { serverToServer, VAULT_KEYS } from '../support/three-ds.ts'

const CALLED = { server_callback_url: 'https://shop.example.com/cb', notify_url: 'https://shop.example.com/later' }
const PAID = { status: 'approved', approvalCode: '123456', processorTxId: 'tx-1' } as const
const METHOD: Decision = { status: 'processing', awaits: STEPS.method }
const CHALLENGE: Decision = { status: 'processing', awaits: STEPS.challenge }

/** The bank's answers in their order. After them it approves, and look-ups find that it has declined what it waited for. */
interface Answers {
  readonly execute?: readonly Decision[]
  readonly authenticate?: readonly (Decision | 'never')[]
  readonly lookup?: readonly Decision[]
}

/** Nobody signs by RSA here, and to read its key takes a tenth of the time. */
const OPTIONS = { merchants: merchants(), vaultKeys: VAULT_KEYS }

/** A bank that remembers what it decided. */
function bank({ execute = [], authenticate = [], lookup = [] }: Answers = {}) {
  const [results, lookups] = [[...authenticate], [...lookup]]
  const truth = new Map<string, Decision>()
  const executed: string[] = []
  const decide = (reference: string, decision: Decision = PAID) => {
    truth.set(reference, decision)
    return decision
  }
  const acquirer: Acquirer = {
    tokenize: async () => ({ reference: 'token', authenticates: execute[0]?.status === 'processing' }),
    execute: async ({ reference }) => {
      executed.push(reference)
      return decide(reference, execute[executed.length - 1])
    },
    authenticate: async ({ reference }) => {
      const result = results.shift()
      return result === 'never' ? await new Promise(() => {}) : decide(reference, result)
    },
    lookup: async ({ reference }) => {
      const decided = truth.get(reference)
      if (decided === undefined || isFinalStatus(decided.status)) return decided
      return decide(reference, lookups.shift() ?? declined('too late'))
    },
  }
  return { acquirer, executed, truth }
}

/** Two nodes on one store and one clock. Each of their steps waits for its turn. */
async function world(turns: Turns, answers: Answers | undefined) {
  const store = memoryStore()
  const clock = virtualClock(NOW * 1000)
  const acquirers = bank(answers)
  const start = async (who: string) => {
    const node = desk({ ...stepwise(who, store, acquirers.acquirer, turns), clock, ...OPTIONS })
    await node.recovered()
    return node
  }
  return { store, clock, start, one: await start('one'), other: await start('other'), ...acquirers }
}

type World = Awaited<ReturnType<typeof world>>

/** Makes the store and the bank take turns. Claims and callbacks do not: they have tests of their own. */
function stepwise(who: string, store: Store, acquirer: Acquirer, turns: Turns) {
  const inTurn =
    (touch: Omit<Touch, 'by'>) =>
    <Given extends readonly unknown[], Found>(name: string, work: (...given: Given) => Promise<Found>) =>
    (...given: Given) =>
      turns.step(`${who} ${name}`, () => work(...given), { by: who, ...touch })
  const reading = inTurn({ what: 'store', isRead: true })
  const writing = inTurn({ what: 'store', isRead: false })
  const asking = inTurn({ what: 'bank', isRead: false })
  const commit = writing('commits', store.commit)
  return {
    store: {
      ...store,
      commit: (change, now) => (change.attempts === undefined ? commit : store.commit)(change, now),
      findOrder: reading('finds the order', store.findOrder),
      orderById: reading('reads the order', store.orderById),
    } satisfies Store,
    acquirer: {
      ...acquirer,
      execute: asking('has it carried out', acquirer.execute),
      authenticate: asking('brings the result', acquirer.authenticate),
      lookup: asking('looks it up', acquirer.lookup),
    },
  }
}

/** Finds what has not ended, or not once and alike in the books, at the bank and with the merchant. */
async function judge({ store, clock, ...acquirers }: World, hasDied: boolean): Promise<readonly string[]> {
  const { acquirer, executed, truth } = acquirers
  const time = hasDied ? virtualClock(clock.now()) : clock
  if (hasDied) await desk({ store, acquirer, clock: time, ...OPTIONS }).recovered()
  await time.advance('40d')
  const findings = new Set<string>()
  if (new Set(executed).size < executed.length) findings.add('carried out twice')
  for (const order of await store.recentOrders('shop', 10)) {
    const told = (await store.deliveriesOf(order.orderId)).map(({ id, state }) => `${id} ${state}`)
    for (const problem of auditOrder(order, await store.postingsOf(order.orderId))) findings.add(problem)
    for (const { id, kind, status } of order.operations) {
      if (!isFinalStatus(status)) findings.add(`the ${kind} is ${status}`)
      if (!told.includes(`${id} acknowledged`)) findings.add(`nobody was told of the ${kind}`)
      const isAtBank = truth.get(id)?.status === 'approved'
      if (kind !== 'chargeback' && isAtBank !== (status === 'approved'))
        findings.add(`the bank knows the ${kind} otherwise`)
    }
    if ((await store.tasksOf(order.orderId)).length > 0) findings.add('something is due for ever')
  }
  return [...findings]
}

interface Meeting {
  readonly answers?: Answers
  /** Prepares an order, and returns what is to happen to it at the same time. */
  readonly meet: (world: World) => Promise<Scene['actors']>
}

const part = { amount: '6.00', currency: 'EUR' }
const asked =
  ({ gateway, request }: World['one'], path: string, fields: Ids) =>
  () =>
    gateway.handle(request(path, fields))
const bring = ({ gateway, request }: World['one'], { client_orderid, orderid }: Ids, what = 'cres') => {
  const fields = { 'client-order-id': client_orderid, orderid, cRes: 'e30', threeDSCompInd: 'Y' }
  return () => gateway.handle(request(`/api/3ds/v1/upload-${what}-result`, fields))
}

const MEETINGS: Readonly<Record<string, Meeting>> = {
  'two captures of a hold that has enough for one': {
    meet: async ({ one, other }) => {
      const ids = { ...(await one.preauth(CALLED)), ...part }
      return [asked(one, '/api/v2/capture', ids), asked(other, '/api/v2/capture', ids)]
    },
  },
  'a capture and a void': {
    meet: async ({ one, other }) => {
      const ids = await one.preauth(CALLED)
      return [asked(one, '/api/v2/capture', { ...ids, ...part }), asked(other, '/api/v2/void', ids)]
    },
  },
  'a capture and the end of the hold': {
    meet: async ({ one, clock }) => {
      const ids = await one.preauth(CALLED)
      await clock.advance(7 * 86_400_000 - 1)
      return [asked(one, '/api/v2/capture', { ...ids, ...part }), () => clock.advance(1)]
    },
  },
  'a return and a chargeback': {
    meet: async ({ one, other }) => {
      const ids = await one.sale(CALLED)
      const chargeback = () => other.gateway.chargeback(ids.orderid, undefined, 'case 1')
      return [asked(one, '/api/v2/return', { ...ids, ...part }), chargeback]
    },
  },
  'a sale and its repeat': {
    meet: async ({ one, other }) => {
      const sale = one.request('/api/v2/sale', { ...SALE, ...CALLED })
      return [one, other].map(
        ({ gateway }) =>
          () =>
            gateway.handle(sale),
      )
    },
  },
  'a look-up and an outcome that a person writes': {
    answers: { execute: [UNKNOWN] },
    meet: async ({ one, other, clock, truth }) => {
      const { orderid } = await one.sale(CALLED)
      await clock.advance(60_000 - 1)
      truth.set(`${orderid}-1`, PAID)
      return [
        () => clock.advance(1),
        () => other.gateway.recordOutcome(`${orderid}-1`, PAID, { who: 'anna', why: 'test' }),
      ]
    },
  },
  'two uploads of the same result': {
    answers: { execute: [CHALLENGE] },
    meet: async ({ one, other }) => {
      const ids = await one.sale({ ...serverToServer('challenge'), ...CALLED })
      return [bring(one, ids), bring(other, ids)]
    },
  },
  'the result of a challenge and the look-up that asked for it': {
    answers: { execute: [METHOD], authenticate: ['never'], lookup: [CHALLENGE] },
    meet: async ({ one, start, clock }) => {
      const ids = await one.sale({ ...serverToServer('challenge'), ...CALLED })
      await bring(one, ids, 'method-url')()
      // This node never learns what became of the result, and does nothing more.
      void one.gateway.close()
      const next = await start('the next')
      await clock.advance(60_000 - 1)
      return [() => clock.advance(1), bring(next, ids)]
    },
  },
  'the result of a challenge and the end of the wait for it': {
    answers: { execute: [CHALLENGE] },
    meet: async ({ one, other, clock }) => {
      const ids = await one.sale({ ...serverToServer('challenge'), ...CALLED })
      await clock.advance(30 * 60_000 - 1)
      return [bring(other, ids), () => clock.advance(1)]
    },
  },
}

describe('whatever the order of the steps, and wherever the processes die:', () => {
  test.for(Object.entries(MEETINGS))('%s: each takes effect once or not at all', async ([, { answers, meet }]) => {
    const explored = await everyOrder(async (turns) => {
      const made = await world(turns, answers)
      return { actors: await meet(made), judge: (hasDied) => judge(made, hasDied) }
    })
    expect(explored.findings).toEqual([])
    expect(explored.orders).toBeGreaterThan(10)
  })
})
