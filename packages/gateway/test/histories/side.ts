import {
  createGateway,
  type Gateway,
  type GatewayReply,
  type GatewayRequest,
  type MerchantOptions,
  memoryStore,
  type VaultKeys,
} from '../../src/index.ts'
import { sqliteStore } from '../../src/sqlite.ts'
import type { Store } from '../../src/store-port.ts'
import { sqliteFile } from '../store/sqlite-file.ts'
import { BASE_URL } from '../support/signed-requests.ts'
import { moodyBank } from './bank.ts'
import { handClock } from './hand-clock.ts'

/** What a store keeps its data in. It outlives the process that works on it. */
interface TestStores {
  open(): Promise<Store>
  end(): Promise<void>
}

const inMemory = (): TestStores => {
  const kept = memoryStore()
  return { open: async () => ({ ...kept }), end: async () => {} }
}

const inSqlite = (): TestStores => {
  const { file, remove } = sqliteFile()
  return { open: async () => sqliteStore({ file }), end: async () => remove() }
}

const STORES = { memory: inMemory, SQLite: inSqlite }

/** Counts the calls of the store that are under way. `cut` makes all later ones fail, as if the process were gone. */
function watched(store: Store, busy: { calls: number }) {
  let isCut = false
  const entries = Object.entries(store).map(([name, part]) => {
    if (typeof part !== 'function') return [name, part]
    return [
      name,
      (...args: unknown[]) => {
        if (isCut) return Promise.reject(Object.assign(new Error('This process is gone'), { code: 'CLOSED' }))
        const result = part(...args)
        if (!(result instanceof Promise)) return result
        busy.calls++
        return result.finally(() => busy.calls--)
      },
    ]
  })
  const cut = async () => {
    isCut = true
    await store.close()
  }
  return { store: Object.fromEntries(entries) as Store, cut }
}

const START = Date.UTC(2030, 0, 1, 10)

/** One gateway after another on the same data, with a bank and a shop to call back. */
export async function openSide(
  name: keyof typeof STORES,
  setup: { merchants: readonly MerchantOptions[]; keys: VaultKeys; mayRepeat: boolean },
) {
  const stores = STORES[name]()
  const busy = { calls: 0 }
  const quiet = async () => {
    for (let still = 0; still < 6; ) {
      await new Promise((resolve) => setImmediate(resolve))
      still = busy.calls === 0 ? still + 1 : 0
    }
  }
  let clock = handClock(START, quiet)
  let seed = 1
  const bank = moodyBank(
    () => clock,
    (target) => {
      for (const index of target.keys()) {
        seed = (seed * 48_271) % 2_147_483_647
        target[index] = seed & 255
      }
    },
  )
  const heard: string[] = []
  const calls: { readonly url: URL; readonly merchants: readonly MerchantOptions[] }[] = []
  let made = 0
  let shopIsUp = true
  let opened = watched(await stores.open(), busy)
  let gateway = start(setup)

  function start({ merchants, keys, mayRepeat }: typeof setup): Gateway {
    const next = () => ++made
    const mine = opened
    return createGateway({
      maxTriesPerCard: 1_000_000,
      publicUrl: BASE_URL,
      merchants,
      vaultKeys: keys,
      store: opened.store,
      clock,
      sandbox: true,
      allowRepeats: mayRepeat,
      acquirer: bank.acquirer,
      ids: {
        orderId: () => String(100_000_000_000_000 + next()),
        serialNumber: () => `00000000-0000-4000-8000-${String(next()).padStart(12, '0')}`,
        pageToken: () => `page-${String(next()).padStart(17, '0')}`,
      },
      sendCallback: async (url) => {
        if (!shopIsUp) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
        calls.push({ url: new URL(url), merchants })
        return { status: 200 }
      },
      onError: (error) => void (mine === opened && heard.push(String(error))),
    })
  }

  return {
    name,
    bank,
    heard,
    calls,
    quiet,
    now: () => clock.now(),
    get gateway() {
      return gateway
    },
    get store() {
      return opened.store
    },
    ask: async (request: GatewayRequest): Promise<GatewayReply> => {
      const reply = await gateway.handle(request)
      await quiet()
      return reply
    },
    goOn: (milliseconds: number) => clock.advance(milliseconds),
    shop: (isUp: boolean) => {
      shopIsUp = isUp
    },
    /** Kills the process and starts another one, whose clock may be behind. */
    restart: async (next: typeof setup, clockBack: number) => {
      await opened.cut()
      clock = handClock(clock.now() - clockBack, quiet)
      opened = watched(await stores.open(), busy)
      gateway = start(next)
      await gateway.isReady()
      await quiet()
    },
    end: async () => {
      await opened.cut()
      await stores.end()
    },
  }
}

export type Side = Awaited<ReturnType<typeof openSide>>
