/** The process under kill -9: a shop with its tables and the journal's in one SQLite file, which takes callbacks over HTTP. */
import { DatabaseSync } from 'node:sqlite'
import { inspect } from 'node:util'
import { createPaymentClient } from '@tallystick/client'
import type { JournalOutcome } from '@tallystick/client/ports'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { saleInput } from '@tallystick/testing'
import { clockAhead } from '../process/ahead-clock.ts'
import { killer } from '../process/killer.ts'
import { type FromServedShop, serveShop } from '../process/serve-shop.ts'
import type { ShopSettings, ToShop } from './messages.ts'

const { settings, tell } = killer<ShopSettings, FromServedShop>()
const { file, baseUrl, login, endpointId, controlKey, aheadMs, customers } = settings

const clock = clockAhead(aheadMs)
createTables()
const client = createPaymentClient({ baseUrl, login, endpointId, controlKey, clock, timeoutMs: 10_000 })
const store = sqliteJournalStore({ file })
/** Without a unique key, so that an outcome handed over twice shows. */
function note({ key, kind, intentId, amount = '' }: JournalOutcome, transaction: DatabaseSync): void {
  transaction.prepare('insert into effects values (?, ?, ?, ?)').run(key, kind, intentId, amount)
}

const journal = createJournal<DatabaseSync>({
  client,
  store,
  clock,
  deadlineMs: 10_000,
  pollMs: 20,
  handler: ({ outcome, transaction }) => note(outcome, transaction),
  onNotice: ({ notice, transaction }) => note(notice, transaction),
  onEvent: (event) => {
    if (event.type === 'RECONCILE_FAILED' || event.type === 'HANDLER_FAILED')
      process.stderr.write(`${inspect(event)}\n`)
  },
})

const shop = serveShop({ client, journal, store, clock, tell, complain: () => {} })

let isSelling = true
process.on('message', (message: ToShop) => {
  isSelling = false
  void (message === 'finish' ? wentOn.then(shop.finish) : shop.stop())
})
journal.start()
/** What an earlier process never sent is not due by itself, so that the shop is idle only after this. */
const wentOn = goOnWithWhatNeverLeft()
await wentOn
for (let customer = 0; customer < customers; customer++) void sell(customer)

function createTables(): void {
  const database = new DatabaseSync(file)
  database.exec('pragma busy_timeout = 5000')
  database.exec('create table if not exists effects (key text, kind text, intent_id text, amount text) strict')
  database.close()
}

/** Pays what an earlier process wrote and did not send, with the card from the customer again. */
async function goOnWithWhatNeverLeft(): Promise<void> {
  const left = await store.inStates(['PREPARED', 'NOT_SENT'], 1000)
  await Promise.all(left.map(({ businessKey }) => journal.pay(businessKey, 'sale', saleOf(businessKey))))
}

/** Sells without end, as one of the customers. */
async function sell(customer: number): Promise<void> {
  for (let n = 0; isSelling; n++) {
    const key = `invoice ${settings.process}-${customer}-${n}`
    await journal.pay(key, 'sale', saleOf(key))
  }
}

/** The same sale for the same key: a shop can read its invoices again. */
function saleOf(key: string) {
  const cents = String(10 + (Buffer.from(key).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7) % 90))
  const notifyUrl = 'http://127.0.0.1/callback'
  const { clientOrderId: _, ...input } = saleInput({ amount: `7.${cents}`, currency: 'USD', notifyUrl })
  return input
}
