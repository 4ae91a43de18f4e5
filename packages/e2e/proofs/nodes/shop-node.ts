/** A process of the shop, one of several on one PostgreSQL: client, journal, handler and callback server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { createCallbackHandler, createPaymentClient, readInbound } from '@tallystick/client'
import { createJournal, type JournalEvent } from '@tallystick/journal'
import { pgBossWakeups } from '@tallystick/journal/pg-boss'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import { clockAhead } from '../process/ahead-clock.ts'
import { killer } from '../process/killer.ts'
import type { FromShop, ShopSettings, ToShop } from './messages.ts'
import { isMeantToHappen } from './outage-trouble.ts'
import { businessKeyOf, type Purchase } from './purchase.ts'

const { settings, tell } = killer<ShopSettings, FromShop>()
const { connectionString, baseUrl, login, endpointId, controlKey } = settings

const clock = clockAhead(settings.aheadMs)
const client = createPaymentClient({ baseUrl, login, endpointId, controlKey, clock, timeoutMs: 10_000 })
const store = postgresJournalStore({ connectionString })
const journal = createJournal({
  client,
  store,
  clock,
  deadlineMs: 10_000,
  wakeups: pgBossWakeups({ connectionString, onError: complain }),
  handler: async ({ outcome, transaction }) => {
    const { key, kind, intentId, status } = outcome
    // Without a unique key, so that an outcome handed over twice shows.
    await transaction.query('insert into effects values ($1, $2, $3, $4)', [key, kind, intentId, status])
  },
  onEvent: (event) => {
    const error = errorOf(event)
    if (error !== undefined) complain(error)
  },
})
const handle = createCallbackHandler({ client, inbox: journal.inbox })
const server = createServer((request, response) => {
  readInbound(request)
    .then(handle)
    .then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => {
        complain(error)
        response.writeHead(503).end()
      },
    )
})

process.on('message', (message: ToShop) => {
  if (message === 'finish') void finish()
  else if (message === 'stop') void stop()
  else if ('goOnMs' in message) clock.goOn(message.goOnMs)
  else void pay(message.pay, message.purchase)
})
journal.start()
server.listen(0, '127.0.0.1', () => tell({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))

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

/** Waits until nothing is due. */
async function finish(): Promise<void> {
  for (;;) {
    const { looked, handedOver } = await journal.reconcile()
    const dueAt = (await store.nextDueAt({ until: clock.now(), withOutcomes: true })) ?? Number.POSITIVE_INFINITY
    if (looked === 0 && handedOver === 0 && dueAt > clock.now()) return tell({ isIdle: true })
  }
}

async function stop(): Promise<void> {
  server.close()
  server.closeAllConnections()
  await journal.close()
  await client.close()
  process.disconnect()
}

function errorOf(event: JournalEvent): unknown {
  return 'error' in event ? event.error : undefined
}

function complain(error: unknown): void {
  if (!isMeantToHappen(error)) process.stderr.write(`${inspect(error)}\n`)
}
