import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pan } from '@tallystick/core'
import {
  createGateway,
  createVault,
  memoryStore,
  newVaultKeys,
  readVaultKeys,
  type Store,
  simulator,
  type Vault,
  virtualClock,
} from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { DEFAULT_CHARGE_TIME } from '../../packages/gateway/src/merchants/endpoint-settings.ts'
import { firstCharge } from '../../packages/gateway/src/processing/next-charge.ts'
import { pooledRandomness } from '../../packages/gateway/src/runtime/system.ts'
import { printTable } from '../signing/table.ts'
import { cardNumber } from './requests.ts'
import { orderIdOf } from './store-rows.ts'

/**
 * Measures a year of monthly schedules under the virtual clock, from the card in the vault to the callback of each charge. Checks
 * that every charge was made at its instant, and that the callbacks came in the order of the months. Run with a number for fewer
 * than 1,000 schedules:
 *
 *     node --conditions=@tallystick/source bench/gateway/recurring.ts
 */

const SCHEDULES = Number(process.argv[2] ?? 1_000)
const MONTHS = 12
const BEGIN = Date.UTC(2030, 0, 1)
const LOGIN = 'shop'

const random = pooledRandomness()
const vaultKeys = readVaultKeys(newVaultKeys(random, 'bench').reveal())
const vault = createVault({ keys: vaultKeys, random })
const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** In seconds. */
interface Cost {
  readonly wall: number
  readonly cpu: number
}

/** Writes a schedule. The schedules are spread over the days 1 to 28 of the month. */
async function writeSchedule(number: number, store: Store, { seal }: Vault): Promise<void> {
  const day = String(1 + (number % 28)).padStart(2, '0')
  const pan = new Pan(cardNumber(number))
  const card = seal(LOGIN, { pan, cardholderName: 'JOHN SMITH', expireMonth: '12', expireYear: '2039' })
  const recurringPayment = {
    recurringPaymentId: orderIdOf(number),
    version: 1,
    login: LOGIN,
    endpointId: '253',
    clientOrderId: `profile-${number}`,
    digest: `digest-${number}`,
    serialNumber: `serial-${number}`,
    createdAt: BEGIN,
    cardId: card.cardId,
    cardType: 'SRC',
    currency: 'EUR',
    amount: { kind: 'fixed', amount: 999n },
    schedule: { period: 'month', interval: 1, startDate: `2030-01-${day}`, finishDate: '2030-12-31' },
    payer: { email: 'john.smith@gmail.com' },
    serverCallbackUrl: 'https://shop.example.com/callback',
  } as const
  const first = firstCharge(recurringPayment, DEFAULT_CHARGE_TIME)
  assert.ok(first !== undefined)
  assert.ok((await store.commit({ recurringPayment, cards: [card], tasks: [first] }, BEGIN)).ok)
}

/** A callback, and when it arrived by the gateway's clock. */
interface Heard {
  readonly clientOrderId: string
  readonly at: number
}

async function yearOn(store: Store): Promise<Cost> {
  const numbers = Array.from({ length: SCHEDULES }, (_, number) => number)
  await Promise.all(numbers.map((number) => writeSchedule(number, store, vault)))
  const heard: Heard[] = []
  const clock = virtualClock(BEGIN)
  const gateway = createGateway({
    publicUrl: 'https://gate.example.com/paynet',
    merchants: [{ login: LOGIN, controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20', endpoints: [{ id: '253' }] }],
    store,
    acquirer: simulator(),
    vaultKeys,
    clock,
    sendCallback: async (url) => {
      heard.push({ clientOrderId: new URL(url).searchParams.get('client_orderid') ?? '', at: clock.now() })
      return { status: 200 }
    },
    onError: (error) => {
      throw error
    },
  })
  const cost = await timed(async () => {
    await gateway.isReady()
    await gateway.settled()
    await gateway.clock.advance('365d')
    await gateway.settled()
  })
  await requireWhole(store, heard)
  await gateway.close()
  return cost
}

async function timed(work: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage()
  const start = performance.now()
  await work()
  const wall = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(before)
  return { wall, cpu: (user + system) / 1e6 }
}

/** Checks that each schedule has its twelve orders, at midnight of their days, and that callbacks came in order of the days. */
async function requireWhole(store: Store, heard: readonly Heard[]): Promise<void> {
  assert.equal(heard.length, SCHEDULES * MONTHS)
  assert.deepEqual(
    heard,
    heard.toSorted((one, other) => one.at - other.at),
  )
  const told = new Map<string, number>()
  for (const { clientOrderId, at } of heard) {
    const [id = '', number] = clientOrderId.split('-')
    assert.equal(Number(number), (told.get(id) ?? 0) + 1)
    assert.equal(new Date(at).getUTCMonth(), Number(number) - 1)
    told.set(id, Number(number))
  }
  for (let number = 0; number < SCHEDULES; number++) {
    for (let month = 0; month < MONTHS; month++) {
      const order = await store.findOrder({ login: LOGIN, clientOrderId: `${orderIdOf(number)}-${month + 1}` })
      assert.equal(order?.createdAt, Date.UTC(2030, month, 1 + (number % 28)))
      assert.equal(order.operations[0]?.status, 'approved')
    }
  }
}

const costs = {
  memory: await yearOn(memoryStore()),
  sqlite: await yearOn(sqliteStore({ file: join(folder, 'gateway.db') })),
}
const charges = SCHEDULES * MONTHS
const goal = 'seconds'
printTable(`A year of ${SCHEDULES} monthly schedules, ${charges} charges with callbacks`, [
  { what: 'in memory', figure: costs.memory.wall, unit: 's', goal },
  { what: 'in memory, CPU time of a charge', figure: (costs.memory.cpu * 1e6) / charges, unit: 'us' },
  { what: 'SQLite, durable', figure: costs.sqlite.wall, unit: 's', goal },
  { what: 'SQLite, CPU time of a charge', figure: (costs.sqlite.cpu * 1e6) / charges, unit: 'us' },
])
