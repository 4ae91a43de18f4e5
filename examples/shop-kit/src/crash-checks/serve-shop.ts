import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { createPaymentClient, type PaymentClientOptions } from '@tallystick/client'
import { CALLBACK_PATH } from '../paths.ts'
import { openShopDatabase } from '../rows/shop-database.ts'
import type { StartShop } from '../world/world.ts'

/** What a process of the shop is told to begin with. */
export interface ProcessSetup {
  readonly merchant: PaymentClientOptions
  /** The file of the shop's rows and of the journal. */
  readonly file: string
  /** The origin of the gateway's pages. */
  readonly gateway: string
  readonly port: number
  /** How far its clock is ahead. */
  readonly aheadMs: number
  /** In the middle of its handler: the rows are written, and not committed. */
  readonly diesInHandler: boolean
}

/** What it tells: where it listens, and that a callback has come in, of which nothing is kept yet. */
export type FromShop = { readonly url: string } | 'called'

/** Serves the shop in this process, for who has forked it: from a message with its setup to one that says to finish. */
export function serveShop(startShop: StartShop): void {
  process.once('message', (setup: ProcessSetup) => void serve(setup, startShop))
  // It must not outlive who would kill it.
  process.once('disconnect', () => process.exit())
}

async function serve({ aheadMs, ...setup }: ProcessSetup, startShop: StartShop): Promise<void> {
  const machineNow = Date.now
  Date.now = () => machineNow() + aheadMs
  const { shop, finish } = await open(setup, startShop)
  process.once('message', () => void finish())
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { readonly request: IncomingMessage }
    if (request.url?.startsWith(CALLBACK_PATH)) tell('called')
  })
  tell({ url: shop.url })
}

async function open(setup: Omit<ProcessSetup, 'aheadMs'>, startShop: StartShop) {
  const { merchant, file, port, gateway, diesInHandler } = setup
  const client = createPaymentClient(merchant)
  const database = openShopDatabase(file)
  // Each shop ends its handler by a line about what it was told.
  const log = (line: string) => {
    if (diesInHandler && line.endsWith(' approved')) process.kill(process.pid, 'SIGKILL')
  }
  const shop = await startShop({ client, merchant, database, gateway, port, log })
  const finish = async () => {
    await shop.journal.settled()
    await shop.close()
    database.close()
    process.disconnect()
  }
  return { shop, finish }
}

function tell(message: FromShop): void {
  process.send?.(message)
}
