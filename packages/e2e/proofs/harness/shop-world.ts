import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Order } from '@tallystick/proof-kit'
import { startGateway } from '@tallystick/testing'
import { bank, type Entry, type Troubles, tokenizeCards } from './bank.ts'
import { startShopProcess } from './processes.ts'
import type { ShopSettings } from './shop-process.ts'

export type ShopWorld = Awaited<ReturnType<typeof shopWorld>>

interface ShopWorldOptions {
  readonly troubles?: Troubles
  /** Default: a SQLite file. */
  readonly store?: ShopSettings['store']
}

/** What outlives the processes of a shop: the gateway, its bank, and the file if the shop has one. */
export async function shopWorld({ folder, random, after }: Order, { troubles, store }: ShopWorldOptions = {}) {
  const journal: Entry[] = []
  let origins: readonly string[] = []
  const slow = bank({ journal, random, pause: () => pause(random.below(6)), ...(troubles && { troubles }) })
  const gateway = await startGateway({
    acquirer: { ...slow, tokenize: tokenizeCards(random) },
    // No warnings of callbacks that a dead shop does not take.
    onCallback: () => {},
    sendCallback: async (url) => {
      if (origins.length === 0) return { status: 503 }
      const { pathname, search } = new URL(url)
      const { status } = await fetch(random.pick(origins) + pathname + search)
      return { status }
    },
  })
  after(gateway.close)
  after(() => {
    origins = []
  })
  const { login, endpointId, baseUrl, controlKey } = gateway.merchant
  const merchant = { login, endpointId, baseUrl, controlKey: controlKey.reveal() }
  const file = join(folder, 'shop.db')
  let aheadMs = 0
  return {
    gateway,
    journal,
    file,
    /** Starts the next process, later than the one before by its clock. */
    next: (laterMs: number) => {
      aheadMs += laterMs
      // No payouts: the gateway would refuse the time of their signatures.
      const sales = { operations: ['sale'], notifyUrl: 'http://127.0.0.1/callback' } as const
      return startShopProcess({ ...merchant, ...sales, store: store ?? { file }, aheadMs }, join(folder, 'compiled'))
    },
    callTo: (next: readonly string[]) => {
      origins = next
    },
  }
}
