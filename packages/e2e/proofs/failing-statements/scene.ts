import { createPaymentClient, type PaymentClient, type Transport } from '@tallystick/client'
import { defineProfile } from '@tallystick/core'
import {
  createGateway,
  type Gateway,
  newVaultKeys,
  readVaultKeys,
  type Store,
  type VirtualClock,
  virtualClock,
} from '@tallystick/gateway'
import { Random } from '@tallystick/proof-kit'
import { cards, testControlKey, testKeyPair } from '@tallystick/testing'
import { type Database, openFile } from '../../../gateway/src/store/sqlite/database.ts'
import { sqliteStore } from '../../../gateway/src/store/sqlite/sqlite-store.ts'
import { askDirectly } from '../../test/support/ask-directly.ts'
import type { Merchant } from '../../test/support/flows.ts'
import { bank, prepareCards } from '../bank/bank.ts'
import type { Entry } from '../bank/journal.ts'

const LOGIN = 'test-merchant'
const ENDPOINT = '253'
const ADDRESS = 'https://gate.example.com/paynet'
const controlKey = testControlKey()
const { publicKey, privateKey } = testKeyPair()
const vaultKeys = readVaultKeys(newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'proof').reveal())

/** A gateway on a file and on a clock that is moved by hand, with a merchant that calls it without a network. */
export interface Scene {
  readonly gateway: Gateway<VirtualClock>
  readonly store: Store
  readonly merchant: Merchant
  /** The HTTP statuses of the answers. */
  readonly statuses: readonly number[]
  allOrders(): ReturnType<Store['recentOrders']>
}

export interface SceneOptions {
  readonly file: string
  /** The journal of the bank, which outlives the gateway. */
  readonly journal: Entry[]
  /** The time of the clock. */
  readonly now: number
  readonly open?: (file: string) => Database
}

export function sceneOn({ file, journal, now, open = openFile }: SceneOptions): Scene {
  const clock = virtualClock(now)
  const store = sqliteStore({ file, open })
  const random = new Random(journal.length)
  const gateway = createGateway({
    maxTriesPerCard: 1_000_000,
    publicUrl: ADDRESS,
    merchants: [{ login: LOGIN, controlKey, publicKey, endpoints: [{ id: ENDPOINT }] }],
    store,
    vaultKeys,
    acquirer: { ...bank({ journal, random }), prepare: prepareCards(random) },
    clock,
    sendCallback: async () => ({ status: 200 }),
  })
  const statuses: number[] = []
  const transport = transportTo(gateway, statuses)
  const client = createPaymentClient({
    login: LOGIN,
    endpointId: ENDPOINT,
    controlKey,
    privateKey,
    profile: defineProfile({ baseUrl: ADDRESS, recurringExtensions: true }),
    clock,
    // One attempt, so that a failure shows as it is: nobody moves the clock while a read waits for the next.
    readAttempts: 1,
    transport,
  })
  return {
    gateway,
    store,
    merchant: merchantOf(client, gateway),
    statuses,
    allOrders: () => store.recentOrders(LOGIN, 1000),
  }
}

function merchantOf(client: PaymentClient, gateway: Gateway): Merchant {
  const notifyUrl = 'https://shop.example.com/callback'
  return { client, card: cards.approved, notifyUrl, settled: () => gateway.settled() }
}

function transportTo(gateway: Gateway, statuses: number[]): Transport {
  return {
    send: async (request) => {
      const exchange = await askDirectly(gateway, request)
      statuses.push(exchange.httpStatus)
      return exchange
    },
    close: async () => {},
  }
}
