import { expect, test } from 'vitest'
import { memoryStore } from '../../src/index.ts'
import { deciding } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { sale } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'

test('what the last process had sent is looked up by 64 at a time, all of it, once', async () => {
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
      await Promise.resolve()
      atOnce--
      return await inner.lookup(instruction)
    },
  })
  const next = desk({ store, acquirer })
  await next.recovered()
  expect([asked.length, new Set(asked).size, most]).toEqual([200, 200, 64])
  expect(await store.sentOrders(Number.MAX_SAFE_INTEGER, 9)).toEqual([])
})

test('a store that fails at the start is asked again until it answers; nothing is taken before', async () => {
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

test('a gateway that is closed asks a store that fails no more', async () => {
  let asked = 0
  const sentOrders = async () => {
    asked += 1
    throw new Error('the database is away')
  }
  const { gateway, clock } = desk({ store: { ...memoryStore(), sentOrders } })
  await gateway.close()
  await clock.advance('1h')
  expect(asked).toBe(1)
})
