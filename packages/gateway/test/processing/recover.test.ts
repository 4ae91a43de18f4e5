import { describe, expect, test } from 'vitest'
import { memoryStore, virtualClock } from '../../src/index.ts'
import type { Cluster } from '../../src/store/store.ts'
import type { Store } from '../../src/store-port.ts'
import { APPROVED, deciding, listening, undecided } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { fieldsOf, sale } from '../support/signed-requests.ts'
import { committing, shared } from '../support/stores.ts'

test('all that the last process had sent is looked up once, 64 at a time', async () => {
  let isDown = false
  const store = committing(async (change, commit) => {
    if (isDown && change.order?.basedOn !== 'nothing') throw new Error('disk I/O error')
    return await commit()
  })
  const first = desk({ store })
  isDown = true
  const ids = Array.from({ length: 200 }, (_, at) => `inv-${at}`)
  await Promise.all(ids.map((client_orderid) => first.gateway.handle(sale({ client_orderid }))))
  await first.gateway.settled()
  isDown = false
  let atOnce = 0
  let most = 0
  const asked: string[] = []
  const inner = deciding({})
  const acquirer = deciding({
    lookup: async (instruction) => {
      asked.push(instruction.reference)
      most = Math.max(most, ++atOnce)
      await new Promise(setImmediate)
      atOnce--
      return await inner.lookup(instruction)
    },
  })
  const next = desk({ store, acquirer })
  await next.recovered()
  expect([asked.length, new Set(asked).size, most]).toEqual([200, 200, 64])
  expect(await store.sentOrders(Number.MAX_SAFE_INTEGER, 9)).toEqual([])
})

test('a store that fails at the start is asked again until it answers; no request is accepted before', async () => {
  const store = memoryStore()
  let isDown = true
  const failing = {
    ...store,
    sentOrders: async (before: number, limit: number) => {
      if (isDown) throw new Error('the database is away')
      return await store.sentOrders(before, limit)
    },
  }
  const { gateway, clock, heard } = desk({ store: failing })
  expect(await gateway.isReady()).toBe(false)
  expect((await gateway.handle(sale())).status).toBe(500)
  await clock.advance('1s')
  expect(await gateway.isReady()).toBe(false)
  isDown = false
  await clock.advance('2s')
  expect(await gateway.isReady()).toBe(true)
  expect((await gateway.handle(sale())).status).toBe(200)
  expect(heard.filter(([, serialNumber]) => serialNumber === undefined)).toHaveLength(2)
  await gateway.settled()
})

/** A gateway on a store that fails, and the seconds at which it was asked. */
function failing() {
  const asked: number[] = []
  const sentOrders = async () => {
    asked.push((made.clock.now() - start) / 1000)
    throw new Error('the database is away')
  }
  const clock = virtualClock()
  const start = clock.now()
  const made = desk({ store: { ...memoryStore(), sentOrders }, clock })
  return { ...made, asked }
}

test('a store that fails for long is asked less and less often, and once a minute in the end', async () => {
  const { gateway, clock, asked } = failing()
  await gateway.isReady()
  await clock.advance('5m')
  expect(asked).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
})

test.for([
  ['before that has answered', false],
  ['before that is asked again', true],
] as const)('a gateway that is closed asks a store that fails no more: %s', async ([, isAnswered]) => {
  const { gateway, clock, asked } = failing()
  if (isAnswered) await gateway.isReady()
  await gateway.close()
  await clock.advance('1h')
  expect(asked).toEqual([0])
})

describe('if several processes share the store, what one that is gone had sent', () => {
  /** A shared store in which a process has left an operation. `look` has the others look for such operations. */
  async function left() {
    const { execute } = undecided()
    const first = desk({ acquirer: deciding({ execute }) })
    const { 'paynet-order-id': orderId = '' } = fieldsOf(await first.gateway.handle(sale()))
    const operationId = `${orderId}-1`
    const { cluster, wake } = shared(async (_limit, isUnderWay) =>
      isUnderWay(operationId) ? [] : [{ orderId, operationId }],
    )
    const look = async () => {
      wake()
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    }
    return { store: { ...first.store, cluster }, look, orderId }
  }

  test('is looked up once, however often others look before its outcome is there', async () => {
    const { store, look, orderId } = await left()
    const { execute: lookup, decide } = undecided()
    const { acquirer, executed, lookedUp } = listening({ lookup })
    // Reading the order takes so long that the next look comes first.
    const orderById: Store['orderById'] = async (id) => {
      for (let turn = 0; turn < 8; turn++) await new Promise(setImmediate)
      return await store.orderById(id)
    }
    const { gateway } = desk({ store: { ...store, orderById }, acquirer })
    await gateway.isReady()
    for (let looks = 0; looks < 4; looks++) await look()
    expect([lookedUp.length, executed.length]).toEqual([1, 0])
    decide(APPROVED)
    await gateway.settled()
    expect((await store.orderById(orderId))?.operations).toMatchObject([{ status: 'approved' }])
  })

  test('and the acquirer has not heard of may be on its way for 15 minutes, and was never carried out after that', async () => {
    const { store, orderId } = await left()
    const { gateway, clock, recovered } = desk({ store, acquirer: deciding({ lookup: async () => undefined }) })
    await recovered()
    await clock.advance('14m')
    const status = async () => (await store.orderById(orderId))?.operations[0]?.status
    expect(await status()).toBe('unknown')
    await clock.advance('7m')
    await gateway.settled()
    expect(await status()).toBe('error')
  })

  test('is looked up even if many others cannot be read', async () => {
    const { store, orderId } = await left()
    const { cluster } = store
    const orderById: Store['orderById'] = async (id) => {
      if (id !== orderId) throw new Error('the line is down')
      return await store.orderById(id)
    }
    const unreadable = Array.from({ length: 64 }, (_, at) => ({ orderId: `${at}`, operationId: `${at}-1` }))
    const takeAbandonedOperations: Cluster['takeAbandonedOperations'] = async (limit, isUnderWay) => [
      ...unreadable,
      ...(await cluster.takeAbandonedOperations(limit, isUnderWay)),
    ]
    const acquirer = deciding({ lookup: async () => APPROVED })
    const { gateway, heard } = desk({
      store: { ...store, orderById, cluster: { ...cluster, takeAbandonedOperations } },
      acquirer,
    })
    await gateway.isReady()
    await gateway.settled()
    expect((await store.orderById(orderId))?.operations).toMatchObject([{ status: 'approved' }])
    expect(heard).toHaveLength(64)
  })

  test('is found again if it could not be read', async () => {
    const { store, look, orderId } = await left()
    const { acquirer, lookedUp } = listening({ lookup: async () => APPROVED })
    const failures = [new Error('the line is down')]
    const orderById: Store['orderById'] = async (id) => {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return await store.orderById(id)
    }
    const { gateway, heard } = desk({ store: { ...store, orderById }, acquirer })
    await gateway.isReady()
    await gateway.settled()
    expect([lookedUp.length, heard.length]).toEqual([0, 1])
    await look()
    expect((await store.orderById(orderId))?.operations).toMatchObject([{ status: 'approved' }])
  })
})

test('a process that the others consider dead sends nothing, and reports it', async () => {
  const { cluster } = shared()
  const { acquirer, executed } = listening()
  const store = { ...memoryStore(), cluster: { ...cluster, isAlive: () => false } }
  const { gateway, heard } = desk({ store, acquirer })
  const { 'paynet-order-id': orderId, 'serial-number': serialNumber } = fieldsOf(await gateway.handle(sale()))
  await gateway.settled()
  expect([executed, heard.map(([error, of]) => [String(error), of])]).toEqual([
    [],
    [
      [
        `Error: Operation ${orderId}-1 was not sent: this process was cut off from the store for too long`,
        serialNumber,
      ],
    ],
  ])
  expect((await store.orderById(orderId ?? ''))?.operations).toMatchObject([{ status: 'sent' }])
})

test('what a process carries out is under way there until its outcome is written, and no longer', async () => {
  const answers: boolean[] = []
  let orderId = ''
  const { cluster, wake } = shared(async (_limit, isUnderWay) => {
    answers.push(isUnderWay(`${orderId}-1`))
    return []
  })
  const { execute, decide } = undecided()
  const { gateway } = desk({ store: { ...memoryStore(), cluster }, acquirer: deciding({ execute }) })
  orderId = fieldsOf(await gateway.handle(sale()))['paynet-order-id'] ?? ''
  wake()
  await new Promise(setImmediate)
  decide(APPROVED)
  await gateway.settled()
  wake()
  await gateway.settled()
  expect(answers).toEqual([false, true, false])
})
