import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@tallystick/proof-kit'
import { startGateway, type TestGateway } from '@tallystick/testing'
import { bank, prepareCards, type Troubles } from '../bank/bank.ts'
import type { Entry } from '../bank/journal.ts'
import { type NodeProcess, startNode } from '../process/node-process.ts'
import type { FromServedShop } from '../process/serve-shop.ts'
import type { ShopSettings, ToShop } from './messages.ts'

const PROCESS = new URL('shop-process.ts', import.meta.url)

/** What outlives the processes of the shop: the gateway, its bank, the file. */
export interface ShopWorld {
  readonly gateway: TestGateway
  /** The bank's book. */
  readonly book: readonly Entry[]
  readonly file: string
  /** Starts the next process, later than the one before by its clock. */
  next(options: { readonly laterMs: number; readonly customers: number }): NodeProcess<ToShop>
  /** Where callbacks go from now on. */
  callTo(origins: readonly string[]): void
}

export async function shopWorld(folder: string, random: Random, troubles: Troubles): Promise<ShopWorld> {
  const book: Entry[] = []
  let origins: readonly string[] = []
  const slow = bank({ journal: book, random, pause: () => pause(random.below(6)), troubles })
  const gateway = await startGateway({
    acquirer: { ...slow, prepare: prepareCards(random) },
    // No warnings of callbacks that a dead shop does not take.
    onCallback: () => {},
    sendCallback: async (url) => {
      if (origins.length === 0) return { status: 503 }
      const { status } = await fetch(random.pick(origins) + new URL(url).search)
      return { status }
    },
  })
  const { login, endpointId, baseUrl, controlKey } = gateway.merchant
  const file = join(folder, 'shop.db')
  let [processes, aheadMs] = [0, 0]
  return {
    gateway,
    book,
    file,
    next: ({ laterMs, customers }) => {
      aheadMs += laterMs
      const merchant = { login, endpointId, baseUrl, controlKey: controlKey.reveal() }
      const settings: ShopSettings = { ...merchant, file, aheadMs, process: ++processes, customers }
      return startNode<FromServedShop, ToShop>({
        module: PROCESS,
        settings,
        cacheFolder: join(folder, 'compiled'),
        onMessage: (message) => 'isIdle' in message,
      })
    },
    callTo: (next) => {
      origins = next
    },
  }
}
