import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { PaymentClient, PaymentClientOptions } from '@tallystick/client'
import { Secret } from '@tallystick/core'
import { createSandbox, type Listener, listen } from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import type { Journal } from '@tallystick/journal'
import { startGateway, type TestGateway } from '@tallystick/testing'
import { chooseStaffPassword } from '../access.ts'
import { openShopDatabase, type ShopDatabase } from '../rows/shop-database.ts'
import { startOn } from './start-on.ts'
import { vaultKeysIn } from './vault-keys.ts'

/** What a shop is given to start with. */
export interface ShopSetup {
  readonly client: PaymentClient
  /** The options of that client, for a shop that creates its own. */
  readonly merchant: PaymentClientOptions
  /** The shop's rows; the journal belongs into the same file. */
  readonly database: ShopDatabase
  /** The origin of the gateway's pages. */
  readonly gateway: string
  readonly port: number
  /** Who has it may use the back office. */
  readonly staffPassword: string
  /** Is called with each line of the shop's log. */
  readonly log: (line: string) => void
}

/** A running shop, whatever its framework. */
export interface RunningShop {
  /** Scheme, host and port. */
  readonly url: string
  readonly journal: Journal<DatabaseSync>
  close(): Promise<void>
}

/** Starts a shop; fails with `EADDRINUSE` if the port is taken. */
export type StartShop = (setup: ShopSetup) => Promise<RunningShop>

/** A gateway and a shop on sockets of this machine, both on SQLite. */
export interface World {
  readonly gateway: TestGateway
  readonly client: PaymentClient
  readonly database: ShopDatabase
  readonly shop: RunningShop
  /** The address of the page that shows what happens in the gateway. The key to it is in it. */
  readonly workbench: string
  readonly staffPassword: string
  /** Where both keep their data. */
  readonly folder: string
  close(): Promise<void>
}

export interface WorldOptions {
  readonly startShop: StartShop
  /** `undefined`: the default port, or any free one if that is taken. */
  readonly gatewayPort?: number | undefined
  readonly shopPort?: number | undefined
  /** Where to keep the data. `undefined`: in a folder that is deleted at the end. */
  readonly data?: string | undefined
  /** Of the back office. Default: a new one. */
  readonly staffPassword?: string
  readonly log?: (line: string) => void
}

export async function startWorld(options: WorldOptions): Promise<World> {
  const { startShop, gatewayPort, shopPort, data, staffPassword = chooseStaffPassword(), log = () => {} } = options
  const folder = data ?? mkdtempSync(join(tmpdir(), 'tallystick-'))
  mkdirSync(folder, { recursive: true })
  const gateway = await startOn(gatewayPort, 8080, (port) => gatewayOn(folder, port))
  const operatorKey = new Secret(randomBytes(16).toString('hex'))
  const tests = await startOn(
    undefined,
    9465,
    (port): Promise<Listener> => listen(createSandbox(gateway, { operatorKey }), { port }),
  )
  const client = gateway.client()
  const database = openShopDatabase(join(folder, 'shop.db'))
  const { merchant } = gateway
  const setup = { client, merchant, database, gateway: new URL(merchant.baseUrl).origin, staffPassword, log }
  const shop = await startOn(shopPort, 3000, (port) => startShop({ ...setup, port }))
  return {
    gateway,
    client,
    database,
    shop,
    workbench: `${tests.origin}/?token=${operatorKey.reveal()}`,
    staffPassword,
    folder,
    close: async () => {
      await shop.close()
      await tests.close()
      database.close()
      await gateway.close()
      if (data === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** If the gateway does not start, closes its store: the next attempt, on another port, opens it again. */
async function gatewayOn(folder: string, port: number): Promise<TestGateway> {
  const store = sqliteStore({ file: join(folder, 'gateway.db') })
  try {
    const vaultKeys = vaultKeysIn(join(folder, 'gateway.keys'))
    return await startGateway({ port, store, vaultKeys, currencies: ['USD', 'EUR'] })
  } catch (error) {
    await store.close()
    throw error
  }
}
