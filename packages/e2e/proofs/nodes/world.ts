import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newVaultKeys } from '@tallystick/gateway'
import type { Order, Random } from '@tallystick/proof-kit'
import { testServer } from '@tallystick/test-postgres'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import { bank } from '../bank/bank.ts'
import type { Entry } from '../bank/journal.ts'
import type { NodeProcess } from '../process/node-process.ts'
import { type BankDesk, bankDesk } from './bank-desk.ts'
import { callbacksTo, type Heard } from './callbacks-to.ts'
import { makeDatabases, type Urls } from './databases.ts'
import { startFront } from './front.ts'
import { type Held, held } from './held.ts'
import type { ToGateway, ToShop } from './messages.ts'
import { type Outages, outages } from './outages.ts'
import type { Purchase } from './purchase.ts'
import { purchaseOf } from './purchase-of.ts'
import { type Replays, replays } from './replays.ts'
import { startGatewayNode, startShopNode } from './start-nodes.ts'
import { type Watch, watch } from './watch.ts'

export const LOGIN = 'test-merchant'
const ENDPOINT = '253'
/** The longest pause at the bank. */
const LONGEST_PAUSE_MS = 100
const TROUBLES = { notReached: 2, answerLost: 2, declined: 10 }

/** How long it watches whether work goes on. The quick form judges no time. */
const PATIENCE_MS = 60_000
const QUICK_PATIENCE_MS = 5000

/** The addresses of the processes that are up now, to which the fronts pass requests. */
export interface Up {
  gateways: () => readonly string[]
  shops: () => readonly string[]
}

/** What outlives the processes, and how the next ones are started. */
export interface World {
  readonly random: Random
  readonly urls: Urls
  readonly up: Up
  readonly outages: Outages
  readonly watch: Watch
  readonly bankBook: readonly Entry[]
  readonly desk: BankDesk
  /** Operations that a gateway has sent, and payments that a shop has leased. */
  readonly held: Readonly<Record<keyof Urls, Held>>
  readonly replays: Replays
  readonly heard: Heard
  readonly findings: string[]
  /** The purchase of a customer's order, by its number. */
  purchaseOf(number: number): Purchase
  /** @param aheadMs how far its clock is ahead */
  startGateway(aheadMs: number): NodeProcess<ToGateway>
  startShop(aheadMs: number, onPaid: (number: number, outcome: string) => void): NodeProcess<ToShop>
  close(): Promise<void>
}

export async function worldIn(folder: string, { random, seed, isQuick }: Order): Promise<World> {
  const server = await testServer()
  const urls = await makeDatabases(server.url)
  const findings: string[] = []
  const bankBook: Entry[] = []
  const up: Up = { gateways: () => [], shops: () => [] }
  const watching = watch(urls)
  const watched = { gateway: watching.operations, shop: watching.intents }
  const breaking = outages({ server, random, watched, patienceMs: isQuick ? QUICK_PATIENCE_MS : PATIENCE_MS })
  const desk = bankDesk(slowBank(bankBook, random))
  const replaying = replays({ nodes: () => up.gateways(), random, findings })
  const callbacks = callbacksTo(random)
  const gatewayFront = await startFront({ backends: () => up.gateways(), around: replaying.around })
  const shopFront = await startFront({ backends: () => up.shops(), around: callbacks.around })
  const keys = keysOfRun()
  const cacheFolder = join(folder, 'compiled')
  let started = 0
  return {
    random,
    urls,
    up,
    outages: breaking,
    watch: watching,
    bankBook,
    desk,
    held: {
      gateway: held(watching.heldOperations, () => up.gateways().length > 0),
      shop: held(watching.leased, () => up.shops().length > 0),
    },
    replays: replaying,
    heard: callbacks.heard,
    findings,
    purchaseOf: (number) => purchaseOf(number, `${shopFront.origin}/callback`),
    startGateway: (aheadMs) => {
      const at = { connectionString: urls.gateway, publicUrl: gatewayFront.origin, aheadMs, seed: seed + ++started }
      return startGatewayNode({ ...keys.merchant, ...keys.gateway, ...at }, desk, cacheFolder)
    },
    startShop: (aheadMs, onPaid) => {
      const at = { connectionString: urls.shop, baseUrl: gatewayFront.origin, aheadMs }
      return startShopNode({ ...keys.merchant, ...at }, onPaid, cacheFolder)
    },
    close: async () => {
      gatewayFront.close()
      shopFront.close()
      await watching.close()
      await server.close()
    },
  }
}

function slowBank(journal: Entry[], random: Random) {
  return bank({ journal, random, pause: () => pause(random.below(LONGEST_PAUSE_MS)), troubles: TROUBLES })
}

function keysOfRun() {
  const { publicKey } = testKeyPair()
  const vaultKeys = newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'nodes').reveal()
  return {
    merchant: { login: LOGIN, endpointId: ENDPOINT, controlKey: testControlKey() },
    gateway: { publicKey, vaultKeys },
  }
}
