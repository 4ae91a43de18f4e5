import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@tallystick/proof-kit'
import { startGateway, type TestGateway } from '@tallystick/testing'
import { bank, type Entry, type Troubles, tokenizeCards } from './bank.ts'
import { type ShopProcess, startShopProcess } from './processes.ts'

/** What outlives the processes of a shop on a SQLite file: the gateway, its bank, the file. */
export interface ShopWorld {
  readonly gateway: TestGateway
  /** The bank's journal. */
  readonly journal: readonly Entry[]
  readonly file: string
  /** Starts the next process, later than the one before by its clock. */
  next(laterMs: number): ShopProcess
  /** Where callbacks go from now on. */
  callTo(origins: readonly string[]): void
}

export async function shopWorld(folder: string, random: Random, troubles?: Troubles): Promise<ShopWorld> {
  const journal: Entry[] = []
  let origins: readonly string[] = []
  const slow = bank({ journal, random, pause: () => pause(random.below(6)), ...(troubles && { troubles }) })
  const gateway = await startGateway({
    acquirer: { ...slow, tokenize: tokenizeCards(random) },
    // No warnings of callbacks that a dead shop does not take.
    onCallback: () => {},
    sendCallback: async (url) => {
      if (origins.length === 0) return { status: 503 }
      const { status } = await fetch(random.pick(origins) + new URL(url).search)
      return { status }
    },
  })
  const { login, endpointId, baseUrl, controlKey } = gateway.merchant
  const merchant = { login, endpointId, baseUrl, controlKey: controlKey.reveal() }
  const file = join(folder, 'shop.db')
  let aheadMs = 0
  return {
    gateway,
    journal,
    file,
    next: (laterMs) => {
      aheadMs += laterMs
      // No payouts: the gateway would refuse the time of their signatures.
      const sales = { operations: ['sale'], notifyUrl: 'http://127.0.0.1/callback' } as const
      return startShopProcess({ ...merchant, ...sales, store: { file }, aheadMs }, join(folder, 'compiled'))
    },
    callTo: (next) => {
      origins = next
    },
  }
}
