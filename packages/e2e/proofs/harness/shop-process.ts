/**
 * A shop in a process of its own: client, journal, handler and callback server; its own tables are beside the journal's. Or several,
 * each with a library of its own, which then have the customers' orders in turn.
 */
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { inspect } from 'node:util'
import { createCallbackHandler, createPaymentClient, readInbound } from '@tallystick/client'
import type { JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { advancingClock } from '@tallystick/gateway/internal'
import { createJournal, type Journal, sqliteJournalStore } from '@tallystick/journal'
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
  readonly store:
    | { readonly connectionString: string }
    | { readonly file: string }
    | { readonly libraries: readonly LibraryAt[] }
  /** How far its clock is ahead of the machine's: what an earlier process leased is free again. */
  readonly aheadMs: number
}

/** A library of a shop, and its database. */
export interface LibraryAt {
  readonly server: 'PostgreSQL' | 'MariaDB'
  readonly library: string
  readonly url: string
}

interface Shop {
  readonly store: Pick<JournalStore<never>, 'inStates' | 'nextDueAt'>
  readonly journal: Pick<Journal, 'pay' | 'inbox' | 'reconcile' | 'start' | 'close'>
  end?(): Promise<unknown>
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
/** Connections of each library: two handlers at once. */
const POOL = 6

const shops = await shopsAt()

async function shopsAt(): Promise<readonly Shop[]> {
  if ('file' in at) return [onSqlite(at.file)]
  if ('connectionString' in at) return [await onPostgres(at.connectionString)]
  return await Promise.all(at.libraries.map(onLibrary))
}

function onSqlite(file: string): Shop {
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

async function onPostgres(connectionString: string): Promise<Shop> {
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

async function onLibrary({ server, library, url }: LibraryAt): Promise<Shop> {
  const open = await (server === 'PostgreSQL' ? postgresLibrary(library) : mysqlLibrary(library))
  if (open === undefined) throw new Error(`there is no ${library}`)
  const { store, book, end } = await open(url, POOL)
  const journal = createJournal<never>({
    ...common,
    store,
    handler: async ({ outcome, transaction }) => void (await book(outcome.intentId, transaction)),
    onNotice: async ({ notice, transaction }) => void (await book(notice.intentId, transaction)),
  })
  return { store, journal, end }
}

async function postgresLibrary(name: string) {
  const { LIBRARIES } = await import('../../../journal/test/store/libraries.ts')
  return LIBRARIES[name]
}

async function mysqlLibrary(name: string) {
  const { MYSQL_LIBRARIES } = await import('../../../journal/test/store/mysql-libraries.ts')
  return MYSQL_LIBRARIES[name]
}

function rowOf({ key, kind, intentId, amount = '' }: JournalOutcome) {
  return [key, kind, intentId, amount] as const
}

/** By the last part of a callback's address. */
const handlers = shops.map(({ journal }) => createCallbackHandler({ client, inbox: journal.inbox }))
const listening = await listenOn(
  createServer((request, response) => {
    const number = Number(/^\/callback\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0)
    readInbound(request)
      .then(inTurn(handlers, number))
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
    const notifyUrl = `${settings.notifyUrl}/${number % shops.length}`
    const { operation, input } = purchaseOf(number, settings.operations, notifyUrl)
    try {
      const { journal } = inTurn(shops, number)
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
    const left = await Promise.all(shops.map(({ store }) => store.inStates(['PREPARED', 'NOT_SENT'], 1000)))
    await Promise.all(left.flat().map(({ businessKey }) => methods.pay(numberOf(businessKey))))
  },
  /** Resolves when nothing is due, and the handler had every outcome. */
  finish: async () => void (await Promise.all(shops.map(finish))),
  advance: (milliseconds: number) => clock.advance(milliseconds),
  stop: async () => {
    await listening.close()
    await Promise.all(shops.map(({ journal }) => journal.close()))
    await Promise.all(shops.map(async ({ end }) => await end?.()))
    await client.close()
  },
}
serve(methods)
for (const { journal } of shops) journal.start()
void call('ready', listening.origin)

async function finish({ journal, store }: Shop): Promise<void> {
  for (;;) {
    const { checked, delivered } = await journal.reconcile()
    const dueAt = (await store.nextDueAt({ until: clock.now(), withOutcomes: true })) ?? Number.POSITIVE_INFINITY
    if (checked === 0 && delivered === 0 && dueAt > clock.now()) return
  }
}

function inTurn<One>(all: readonly One[], number: number): One {
  const one = all[number % all.length]
  if (one === undefined) throw new Error('there is no shop')
  return one
}

function complain(error: unknown): void {
  if (!('connectionString' in at && isOutage(error))) process.stderr.write(`${inspect(error)}\n`)
}
