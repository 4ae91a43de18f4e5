import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPaymentClient } from '@tallystick/client'
import { newVaultKeys } from '@tallystick/gateway'
import type { Order } from '@tallystick/proof-kit'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import { type Bank, bank } from '../bank/bank.ts'
import type { Entry } from '../bank/journal.ts'
import { clockAhead } from '../process/ahead-clock.ts'
import { type NodeProcess, startNode } from '../process/node-process.ts'
import { type Book, emptyBook } from './book.ts'
import type { FromGateway, GatewaySettings, ToGateway } from './messages.ts'
import type { Receiver } from './receiver.ts'
import { answerCall, answerQuestion } from './remote-bank.ts'
import type { Shop } from './trade.ts'

export const LOGIN = 'test-merchant'
const ENDPOINT = '253'
/** The time between the end of one process and the start of the next, by their clocks: what was put off is due again. */
const APART_MS = 120_000
/** The longest pause at the bank. */
export const LONGEST_PAUSE_MS = 12
const TROUBLES = { notReached: 3, answerLost: 4, declined: 10 }

/** What outlives the gateway's processes. */
export interface World {
  readonly order: Order
  readonly receiver: Receiver
  readonly journal: readonly Entry[]
  readonly book: Book
  readonly file: string
  /** Starts the next process, with a client for it. */
  next(): Started
}

export interface Started {
  readonly process: number
  readonly child: NodeProcess<ToGateway>
  readonly begun: number
  clientAt(origin: string): Shop['client']
}

export function worldIn(folder: string, order: Order, receiver: Receiver): World {
  const { random, seed } = order
  const { publicKey, privateKey } = testKeyPair()
  const controlKey = testControlKey()
  const vaultKeys = newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'kill9').reveal()
  const file = join(folder, 'gateway.db')
  const journal: Entry[] = []
  const lasting = bank({ journal, random, pause: () => pause(random.below(LONGEST_PAUSE_MS)), troubles: TROUBLES })
  let process = 0
  return {
    order,
    receiver,
    journal,
    book: emptyBook(),
    file,
    next: () => {
      const aheadMs = ++process * APART_MS
      const merchant = { login: LOGIN, endpointId: ENDPOINT, controlKey }
      const settings = { ...merchant, store: file, publicKey, vaultKeys, aheadMs, seed: seed + process }
      const clock = clockAhead(aheadMs)
      return {
        process,
        begun: performance.now(),
        child: startGateway(settings, lasting, join(folder, 'compiled')),
        clientAt: (baseUrl) => createPaymentClient({ ...merchant, baseUrl, privateKey, clock, timeoutMs: 10_000 }),
      }
    },
  }
}

const PROCESS = new URL('gateway-process.ts', import.meta.url)

function startGateway(settings: GatewaySettings, lasting: Bank, cacheFolder: string): NodeProcess<ToGateway> {
  return startNode<FromGateway, ToGateway>({
    module: PROCESS,
    settings,
    cacheFolder,
    onMessage: (message, tell) => {
      if ('bank' in message) void answerQuestion(message, (call) => answerCall(lasting, call)).then(tell)
      return 'settled' in message
    },
  })
}
