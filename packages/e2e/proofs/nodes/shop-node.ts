/** A process of the shop, one of several on one PostgreSQL: client, journal, handler and callback server. */
import { inspect } from 'node:util'
import { createPaymentClient } from '@tallystick/client'
import type { JournalOutcome } from '@tallystick/client/ports'
import { createJournal, type JournalEvent } from '@tallystick/journal'
import { pgBossNotifier } from '@tallystick/journal/pg-boss'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import type { PoolClient } from 'pg'
import { clockAhead } from '../process/ahead-clock.ts'
import { killer } from '../process/killer.ts'
import { serveShop } from '../process/serve-shop.ts'
import type { FromShop, ShopSettings, ToShop } from './messages.ts'
import { isMeantToHappen } from './outage-trouble.ts'
import { businessKeyOf, type Purchase } from './purchase.ts'

const { settings, tell } = killer<ShopSettings, FromShop>()
const { connectionString, baseUrl, login, endpointId, controlKey } = settings

const clock = clockAhead(settings.aheadMs)
const client = createPaymentClient({ baseUrl, login, endpointId, controlKey, clock, timeoutMs: 10_000 })
const store = postgresJournalStore({ connectionString })
/** Without a unique key, so that an outcome handed over twice shows. */
async function note({ key, kind, intentId, status }: JournalOutcome, transaction: PoolClient): Promise<void> {
  await transaction.query('insert into effects values ($1, $2, $3, $4)', [key, kind, intentId, status])
}

const journal = createJournal({
  client,
  store,
  clock,
  deadlineMs: 10_000,
  wakeups: pgBossNotifier({ connectionString, onError: complain }),
  handler: ({ outcome, transaction }) => note(outcome, transaction),
  onNotice: ({ notice, transaction }) => note(notice, transaction),
  onEvent: (event) => {
    const error = errorOf(event)
    if (error !== undefined) complain(error)
  },
})
const shop = serveShop({ client, journal, store, clock, tell, complain })

process.on('message', (message: ToShop) => {
  if (message === 'finish') void shop.finish()
  else if (message === 'stop') void shop.stop()
  else if ('goOnMs' in message) clock.goOn(message.goOnMs)
  else void pay(message.pay, message.purchase)
})
journal.start()

async function pay(number: number, purchase: Purchase): Promise<void> {
  tell({ paid: number, outcome: await outcomeOf(number, purchase) })
}

async function outcomeOf(number: number, purchase: Purchase): Promise<string> {
  const key = businessKeyOf(number)
  try {
    const { outcome } =
      purchase.operation === 'payout'
        ? await journal.pay(key, purchase.operation, purchase.input)
        : await journal.pay(key, purchase.operation, purchase.input)
    return outcome
  } catch (error) {
    complain(error)
    return 'threw'
  }
}

function errorOf(event: JournalEvent): unknown {
  return 'error' in event ? event.error : undefined
}

function complain(error: unknown): void {
  if (!isMeantToHappen(error)) process.stderr.write(`${inspect(error)}\n`)
}
