import { createPaymentClient, type PaymentClient, type Transport } from '@tallystick/client'
import {
  type Clock,
  createGateway,
  type Gateway,
  newVaultKeys,
  readVaultKeys,
  type Store,
  type VirtualClock,
  virtualClock,
} from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { cards, testControlKey, testKeyPair } from '@tallystick/testing'
import type { Random } from '../../../../scripts/proof/random.ts'
import { type FailingDatabase, failingDatabase } from '../../../gateway/test/support/failing-database.ts'
import { type Bank, prepareCards } from '../bank/bank.ts'
import { textOf } from './plain-calendar.ts'
import { ENDPOINTS, type PlannedSchedule } from './plan.ts'

export const LOGIN = 'test-merchant'
const ADDRESS = 'https://gate.example.com/paynet'
const CALLBACK = 'https://shop.example.com/callback'
const controlKey = testControlKey()
const { publicKey, privateKey } = testKeyPair()
const vaultKeys = readVaultKeys(newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'proof').reveal())

/** What outlives every process of the gateway. */
export interface World {
  readonly file: string
  readonly bank: Bank
  readonly random: Random
  /** How many there are. */
  readonly schedules: number
  /** How often each order was called back. */
  readonly heard: Map<string, number>
}

/** One process of the gateway. */
export interface Life {
  readonly clock: VirtualClock
  readonly gateway: Gateway
  readonly store: Store
  readonly database: FailingDatabase
  /** Nothing reaches the bank or the merchant from then on, or from that call of the bank on, and nothing the disk. */
  kill(): void
  killAtCall(call: number): void
  isKilled(): boolean
  /** Sets its clock back while it runs: its timers go on as they were. */
  setBack(milliseconds: number): void
  now(): number
}

export function live({ file, bank, random, heard }: World, now: number): Life {
  const clock = virtualClock(now)
  let ahead = 0
  const shown: Clock = { now: () => clock.now() + ahead, schedule: clock.schedule }
  let isKilled = false
  let callsLeft = Number.POSITIVE_INFINITY
  const reach = () => {
    if (isKilled) throw new Error('The process has ended')
  }
  const database = failingDatabase()
  const store = sqliteStore(file, { open: database.open })
  const gateway = createGateway({
    publicUrl: ADDRESS,
    merchants: [
      { login: LOGIN, controlKey, publicKey, endpoints: ENDPOINTS.map(({ id, charges }) => ({ id, charges })) },
    ],
    store,
    vaultKeys,
    acquirer: {
      ...bank,
      prepare: prepareCards(random),
      execute: async (instruction) => {
        isKilled ||= --callsLeft <= 0
        reach()
        return await bank.execute(instruction)
      },
    },
    clock: shown,
    sendCallback: async (url) => {
      reach()
      const id = new URL(url).searchParams.get('client_orderid') ?? ''
      heard.set(id, (heard.get(id) ?? 0) + 1)
      return { status: 200 }
    },
  })
  return {
    clock,
    gateway,
    store,
    database,
    kill: () => {
      isKilled = true
    },
    killAtCall: (call) => {
      callsLeft = call
    },
    isKilled: () => isKilled,
    setBack: (milliseconds) => {
      ahead -= milliseconds
    },
    now: shown.now,
  }
}

/** The id of a schedule that the merchant has created. */
export async function create(schedule: PlannedSchedule, { gateway }: Life): Promise<string> {
  const { cardType, period, interval, start, finish, endpoint } = schedule
  const result = await clientOf(gateway, endpoint.id).createRecurringPayment({
    recurringCardType: cardType,
    clientOrderId: `r${crypto.randomUUID().replaceAll('-', '')}z`,
    ...cards.approved,
    amount: '9.99',
    currency: 'EUR',
    period,
    interval,
    startDate: textOf(start),
    finishDate: textOf(finish),
    serverCallbackUrl: CALLBACK,
  })
  if (result.outcome !== 'accepted') throw new Error(`A schedule was not created: ${result.outcome}`)
  return result.reply.recurringPaymentId
}

function clientOf(gateway: Gateway, endpointId: string): PaymentClient {
  const { clock } = gateway
  return createPaymentClient({
    baseUrl: ADDRESS,
    login: LOGIN,
    endpointId,
    controlKey,
    privateKey,
    clock,
    transport: transportTo(gateway),
  })
}

function transportTo(gateway: Gateway): Transport {
  return {
    send: async ({ url, headers, body }) => {
      const { pathname, search } = new URL(url)
      const reply = await gateway.handle({ method: 'POST', url: pathname + search, headers, body })
      const mediaType = String(reply.headers['content-type'])
      return { kind: 'replied', httpStatus: reply.status, mediaType, body: reply.body }
    },
    close: async () => {},
  }
}
