import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newVaultKeys, readVaultKeys } from '../../src/index.ts'
import { pooledRandomness } from '../../src/rims/vault-randomness.ts'
import type { Store } from '../../src/store/store.ts'
import { APPROVED, listening, undecided } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { type QuickTime, quickTime } from '../support/quick-time.ts'
import { fieldsOf, NOW, sale, status } from '../support/signed-requests.ts'
import { delivery, opening, operation, order, task } from './changes.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

const vaultKeys = readVaultKeys(newVaultKeys(pooledRandomness(), 'first').reveal())

let database: PostgresDatabase
let schema: string
let time: QuickTime
let store: Store

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  schema = database.newSchema()
  time = quickTime()
  store = await database.node(schema)
})

/** Another gateway on the same tables. Its time is what the test turns. */
async function another(options: Parameters<typeof desk>[0] = {}) {
  return desk({ store: await database.node(schema, { time }), vaultKeys, ...options })
}

describe('two gateways on one PostgreSQL', () => {
  test('one does not look up what the other is waiting for, and does when the other is gone', async () => {
    const bank = undecided()
    const first = desk({ store, vaultKeys, acquirer: listening({ execute: bank.execute }).acquirer })
    const { 'paynet-order-id': orderid = '' } = fieldsOf(await first.gateway.handle(sale()))
    const { acquirer, executed, lookedUp } = listening()
    const second = await another({ acquirer })
    await second.gateway.isReady()
    time.tick()
    await second.gateway.settled()
    expect(lookedUp).toEqual([])
    await database.ask(`UPDATE ${schema}.nodes SET alive_until = clock_timestamp() - interval '1 s'
      WHERE node_id = (SELECT sent_by FROM ${schema}.operations)`)
    time.tick()
    await expect.poll(() => lookedUp.length).toBe(1)
    await second.gateway.settled()
    expect(executed).toEqual([])
    expect(fieldsOf(await second.gateway.handle(status({ client_orderid: 'inv-1', orderid })))['status']).toBe(
      'approved',
    )
    bank.decide(APPROVED)
    await first.gateway.settled()
    expect(first.heard).toEqual([])
  })

  test('one that was cut off sends nothing more', async () => {
    const { acquirer, executed } = listening()
    const cutOff = await another({ acquirer })
    await cutOff.gateway.isReady()
    time.goOn(60_000)
    await cutOff.gateway.handle(sale())
    await cutOff.gateway.settled()
    expect(executed).toEqual([])
    expect(String(cutOff.heard[0]?.[0])).toContain('was not sent')
  })

  test('one answers what the other has begun', async () => {
    const first = desk({ store, vaultKeys })
    const second = await another()
    const { 'paynet-order-id': orderid = '' } = fieldsOf(await first.gateway.handle(sale()))
    expect(fieldsOf(await second.gateway.handle(sale()))['paynet-order-id']).toBe(orderid)
    await first.gateway.settled()
    expect(fieldsOf(await second.gateway.handle(status({ client_orderid: 'inv-1', orderid })))['status']).toBe(
      'approved',
    )
  })

  test('what one made due and could not see to, the other sees to', async () => {
    const second = await another()
    await second.gateway.isReady()
    await second.gateway.settled()
    const at = NOW * 1000
    const over = order(1, {
      operations: [operation({ kind: 'preauth', amount: 0n, status: 'approved', statusAt: at })],
    })
    const due = { deliveries: [delivery(over, { dueAt: at, createdAt: at })], tasks: [task(over, { dueAt: at })] }
    await store.commit({ ...opening(over), ...due }, at)
    expect(second.calls).toEqual([])
    time.tick()
    await expect.poll(() => second.calls).toEqual([delivery(over).url])
    await second.gateway.settled()
    expect(await store.nextDueAt()).toBeUndefined()
  })
})
