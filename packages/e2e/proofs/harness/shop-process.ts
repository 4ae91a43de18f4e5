/** A shop in a process of its own: client, journal, handler and callback server; its own tables are beside the journal's. */
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { inspect } from 'node:util'
import { createCallbackHandler, createPaymentClient, readInbound } from '@tallystick/client'
import type { JournalOutcome } from '@tallystick/client/ports'
import { advancingClock } from '@tallystick/gateway/internal'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { listenOn, underParent } from '@tallystick/proof-kit'
import type { PoolClient } from 'pg'
import { EFFECTS } from './check-shop.ts'
import { clockAhead } from './clocks.ts'
import { isOutage } from './outage.ts'
import { businessKeyOf, numberOf, type Purchase, purchaseOf } from './purchase.ts'

export interface ShopSettings {
  readonly login: string
  readonly endpointId: string
  readonly controlKey: string
  readonly baseUrl: string
  readonly notifyUrl: string
  /** What its customers' orders ask for, in turn. */
  readonly operations: readonly Purchase['operation'][]
  readonly store: { readonly connectionString: string } | { readonly file: string }
  /** How far its clock is ahead of the machine's: what an earlier process leased is free again. */
  readonly aheadMs: number
}

const { settings, call, serve } = underParent<ShopSettings, object>()
const { baseUrl, login, endpointId, controlKey, store: at } = settings
const clock = advancingClock(clockAhead(settings.aheadMs))
const client = createPaymentClient({ baseUrl, login, endpointId, controlKey, clock, timeoutMs: 10_000 })
const common = {
  client,
  clock,
  deadlineMs: 10_000,
  onEvent: (event: object) => {
    if ('error' in event) complain(event.error)
  },
}
const { store, journal } = 'file' in at ? onSqlite(at.file) : await onPostgres(at.connectionString)

function onSqlite(file: string) {
  const tables = new DatabaseSync(file, { timeout: 5000 })
  tables.exec(EFFECTS)
  tables.close()
  const note = (outcome: JournalOutcome, transaction: DatabaseSync) =>
    void transaction.prepare('insert into effects values (?, ?, ?, ?)').run(...rowOf(outcome))
  const store = sqliteJournalStore({ file })
  const journal = createJournal<DatabaseSync>({
    ...common,
    store,
    pollMs: 20,
    handler: ({ outcome, transaction }) => note(outcome, transaction),
    onNotice: ({ notice, transaction }) => note(notice, transaction),
  })
  return { store, journal }
}

async function onPostgres(connectionString: string) {
  // Only here: a shop on SQLite starts as fast as one that has no PostgreSQL.
  const { pgBossNotifier } = await import('@tallystick/journal/pg-boss')
  const { postgresJournalStore } = await import('@tallystick/journal/postgres')
  const note = async (outcome: JournalOutcome, transaction: PoolClient) =>
    void (await transaction.query('insert into effects values ($1, $2, $3, $4)', [...rowOf(outcome)]))
  const store = postgresJournalStore({ connectionString })
  const journal = createJournal<PoolClient>({
    ...common,
    store,
    wakeups: pgBossNotifier({ connectionString, onError: complain }),
    handler: ({ outcome, transaction }) => note(outcome, transaction),
    onNotice: ({ notice, transaction }) => note(notice, transaction),
  })
  return { store, journal }
}

function rowOf({ key, kind, intentId, amount = '' }: JournalOutcome) {
  return [key, kind, intentId, amount] as const
}

const handle = createCallbackHandler({ client, inbox: journal.inbox })
const listening = await listenOn(
  createServer((request, response) => {
    readInbound(request)
      .then(handle)
      .then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        (error: unknown) => {
          complain(error)
          response.writeHead(503).end()
        },
      )
  }),
)

export type ShopMethods = typeof methods
const methods = {
  /** Makes the payment of a customer's order. Gives its outcome; `threw`: the database was away. */
  pay: async (number: number): Promise<string> => {
    const key = businessKeyOf(number)
    const { operation, input } = purchaseOf(number, settings.operations, settings.notifyUrl)
    try {
      const { outcome } =
        operation === 'payout' ? await journal.pay(key, operation, input) : await journal.pay(key, operation, input)
      return outcome
    } catch (error) {
      complain(error)
      return 'threw'
    }
  },
  /** Pays what an earlier process wrote and did not send, with the card from the customer again: nobody else does. */
  payWhatNeverLeft: async () => {
    const left = await store.inStates(['PREPARED', 'NOT_SENT'], 1000)
    await Promise.all(left.map(({ businessKey }) => methods.pay(numberOf(businessKey))))
  },
  /** Resolves when nothing is due, and the handler had every outcome. */
  finish: async () => {
    for (;;) {
      const { checked, delivered } = await journal.reconcile()
      const dueAt = (await store.nextDueAt({ until: clock.now(), withOutcomes: true })) ?? Number.POSITIVE_INFINITY
      if (checked === 0 && delivered === 0 && dueAt > clock.now()) return
    }
  },
  advance: (milliseconds: number) => clock.advance(milliseconds),
  stop: async () => {
    await listening.close()
    await journal.close()
    await client.close()
  },
}
serve(methods)
journal.start()
void call('ready', listening.origin)

function complain(error: unknown): void {
  if (!('connectionString' in at && isOutage(error))) process.stderr.write(`${inspect(error)}\n`)
}
