import { createPaymentClient, type PaymentClient, type Transport } from '@tallystick/client'
import { createGateway, virtualClock } from '@tallystick/gateway'
import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { testControlKey } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { askDirectly } from '../support/ask-directly.ts'
import { requestLost, saleOf } from './shop.ts'

const MINUTE = 60_000
const BASE_URL = 'http://localhost/paynet'

let world: ReturnType<typeof shopWithEndpoints>
beforeEach(() => {
  world = shopWithEndpoints()
})
afterEach(() => world.close())

/** A merchant with two endpoints and a group, and a journal whose client has the first of them. */
function shopWithEndpoints() {
  const clock = virtualClock()
  const merchant = { login: 'shop', controlKey: testControlKey() }
  const endpoints = [{ id: '253' }, { id: '254', currencies: ['EUR'] }]
  const groups = [{ id: '9', endpoints: ['253', '254'] }]
  const merchants = [{ ...merchant, endpoints, groups }]
  const gateway = createGateway({ publicUrl: BASE_URL, merchants, clock, sandbox: true })
  const paths: string[] = []
  let lose = 0
  const transport: Transport = {
    send: async (request) => {
      paths.push(request.url.replace(`${BASE_URL}/api/v2/`, ''))
      return await (lose-- > 0 ? requestLost() : askDirectly(gateway, request))
    },
    close: async () => {},
  }
  const own = { endpointId: '253' } as const
  const client = createPaymentClient({ baseUrl: BASE_URL, ...merchant, ...own, clock, transport, readAttempts: 1 })
  const store = memoryJournalStore()
  const journalWith = (paying: PaymentClient = client) =>
    createJournal({ client: paying, store, clock, fraction: () => 0.5 })
  const journal = journalWith()
  return {
    journal,
    journalWith,
    client,
    paths,
    loseNext: () => {
      lose = 1
    },
    goOn: async (steps: number, stepMs: number) => {
      for (let step = 0; step < steps; step++) {
        await clock.advance(stepMs)
        await gateway.settled()
        await journal.reconcile()
      }
    },
    close: async () => {
      await journal.close()
      await gateway.close()
    },
  }
}

describe("a payment at another endpoint than the client's own", () => {
  const euros = saleOf({ amount: '10.42', currency: 'EUR' })

  test('is written with that endpoint, and its status is checked there', async () => {
    const { journal, paths, goOn } = world
    const paid = await journal.pay('invoice 77', 'sale', euros, { endpointId: '254' })
    expect(paid).toMatchObject({ outcome: 'accepted', intent: { endpointId: '254' } })
    await goOn(2, 5000)
    expect(paths).toEqual(['sale/254', 'status/254'])
    expect(await journal.pay('invoice 77', 'sale', euros, { endpointId: '254' })).toMatchObject({ outcome: 'final' })
  })

  test('has the changes of its order sent there as well', async () => {
    const { journal, paths, goOn } = world
    const { intent } = await journal.pay('invoice 77', 'sale', euros, { endpointGroupId: 9n })
    expect(intent).toMatchObject({ endpointGroupId: '9' })
    await goOn(2, 5000)
    const order = { clientOrderId: intent.clientOrderId, orderId: intent.orderId ?? '' }
    await journal.pay('refund 1', 'return', { ...order, comment: 'broken' })
    await goOn(2, 5000)
    expect(paths).toEqual(['sale/group/9', 'status/group/9', 'status/group/9', 'return/group/9', 'status/group/9'])
  })

  test('under a key that was used at another endpoint is a conflict, and sends nothing', async () => {
    const { journal, paths } = world
    await journal.pay('invoice 77', 'sale', euros, { endpointId: '254' })
    expect(await journal.pay('invoice 77', 'sale', euros)).toMatchObject({ outcome: 'conflict' })
    expect(paths).toEqual(['sale/254'])
  })

  test('is presumed absent only if that endpoint knows other orders, not if another endpoint does', async () => {
    const { journal, loseNext, goOn } = world
    await journal.pay('invoice 76', 'sale', saleOf())
    await goOn(1, 5000)
    loseNext()
    await journal.pay('invoice 77', 'sale', euros, { endpointId: '254' })
    await goOn(40, MINUTE)
    expect(await journal.attempts('invoice 77')).toMatchObject([{ state: 'UNKNOWN' }])
    await journal.pay('invoice 78', 'sale', euros, { endpointId: '254' })
    await goOn(20, MINUTE)
    expect(await journal.attempts('invoice 77')).toMatchObject([{ state: 'PRESUMED_ABSENT' }])
  })

  test('is refused if both kinds of id are named, or one is no int64', async () => {
    const { journal } = world
    const both = journal.pay('invoice 77', 'sale', euros, { endpointId: '254', endpointGroupId: '9' })
    await expect(both).rejects.toThrow('exclude each other')
    await expect(journal.pay('invoice 77', 'sale', euros, { endpointId: 'x' })).rejects.toThrow('endpointId')
  })
})

test('The endpoint of a client that names its own is written, and a prepared intent keeps the one that it names', async () => {
  const { client, journalWith } = world
  const journal = journalWith({ ...client, endpoint: { endpointId: '253' } })
  expect(await journal.pay('invoice 77', 'sale', saleOf())).toMatchObject({ intent: { endpointId: '253' } })
  const prepared = await journal.prepare('invoice 78', 'sale', saleOf(), undefined, { endpointId: '254' })
  expect(prepared).toMatchObject({ ok: true, intent: { endpointId: '254', state: 'PREPARED' } })
})
