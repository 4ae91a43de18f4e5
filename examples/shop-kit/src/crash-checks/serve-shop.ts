import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { createPaymentClient, type PaymentClientOptions } from '@tallystick/client'
import { chooseStaffPassword } from '../access.ts'
import { CALLBACK_PATH } from '../paths.ts'
import { openShopDatabase } from '../rows/shop-database.ts'
import type { StartShop } from '../world/world.ts'

/** The first message to a process of the shop. */
export interface ProcessSetup {
  readonly merchant: PaymentClientOptions
  /** The file with the shop's rows and the journal. */
  readonly file: string
  /** The origin of the gateway's pages. */
  readonly gateway: string
  readonly port: number
  /** How far its clock is ahead, in milliseconds. */
  readonly aheadMs: number
  /** Whether it dies in its handler, when the rows are written and not yet committed. */
  readonly diesInHandler: boolean
}

/** Its messages: where it listens, and that a callback has arrived, which is not stored yet. */
export type FromShop = { readonly url: string } | 'called'

/** Serves the shop in this process for its parent: starts at the message with the setup, and ends at the next message. */
export function serveShop(startShop: StartShop): void {
  process.once('message', (setup: ProcessSetup) => void serve(setup, startShop))
  // It must not outlive the parent that would kill it.
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
  // The last thing that the handler of each shop does is to log the outcome.
  const log = (line: string) => {
    if (diesInHandler && line.endsWith(' approved')) process.kill(process.pid, 'SIGKILL')
  }
  const staffPassword = chooseStaffPassword()
  const shop = await startShop({ client, merchant, database, gateway, port, staffPassword, log })
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
