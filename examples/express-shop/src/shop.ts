import type { DatabaseSync } from 'node:sqlite'
import { createJournal, type Journal, sqliteJournalStore } from '@tallystick/journal'
import {
  CALLBACK_PATH,
  createPages,
  type LedgerRow,
  noteLater,
  RETURN_PATH,
  recordNeverSent,
  refuseOtherSites,
  type ShopSetup,
  settle,
  type Till,
} from '@tallystick/shop-kit'
import express, { type Express } from 'express'
import { backOffice } from './back-office.ts'
import { guarded } from './guarded.ts'
import { onError } from './on-error.ts'
import { payments } from './payments.ts'
import { send } from './send.ts'
import { shopFront } from './shop-front.ts'

export interface ShopOptions extends Omit<ShopSetup, 'port'> {
  /** Where browsers and the gateway reach this shop: `https://shop.example.com`. */
  readonly publicUrl: string
}

export interface Shop {
  readonly app: Express
  readonly journal: Journal<DatabaseSync>
}

/** A shop that never charges twice: its journal is in the same file as its own rows. */
export async function createShop(options: ShopOptions): Promise<Shop> {
  const { client, database, gateway, publicUrl, staffPassword, log } = options
  const now = () => Date.now()
  const record = ({ businessKey, operation, status }: LedgerRow) => log(`${businessKey}: ${operation} ${status}`)
  const journal = createJournal({
    client,
    store: sqliteJournalStore({ file: database.file }),
    handler: ({ outcome, transaction }) => record(settle(outcome, transaction, now())),
    onNotice: ({ notice, transaction }) => record(noteLater(notice, transaction, now())),
    onEvent: (event) => log(`journal: ${event.type}`),
    // This gateway answers the repeat of a card reference with the first result.
    repeatsGetFirstAnswer: true,
  })
  const addresses = { callback: publicUrl + CALLBACK_PATH, comeBack: publicUrl + RETURN_PATH }
  const till: Till = { client, journal, database, addresses, now }
  await recordNeverSent(till)
  journal.start()

  const pages = createPages({ gateway, now })
  const app = express().disable('x-powered-by')
  // First, because these requests come from other sites. They prove nothing by themselves.
  app.use(payments(till))
  app.use(guarded(pages, (request) => refuseOtherSites(request, publicUrl)))
  app.use(shopFront(till, pages))
  app.use('/back-office', backOffice(till, pages, staffPassword))
  app.use((_request, response) => send(response, pages.problem(404, 'There is no such page')))
  app.use(onError(pages, log))
  return { app, journal }
}
