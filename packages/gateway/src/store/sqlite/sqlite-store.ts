import type { DatabaseSync } from 'node:sqlite'
import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { closeUnlessLeft } from '@tallystick/durable/file-guard'
import { requireSqlite } from '@tallystick/durable/sqlite'
import { afterNextTurn } from '../../runtime/system.ts'
import { SPARE_NONCES } from '../nonce-window.ts'
import { pullBackStatements, type Readers } from '../sql/dialect.ts'
import { dueNext, givenUpPage, orderIdPage } from '../sql/list-queries.ts'
import type { OrderCache } from '../sql/order-cache.ts'
import {
  cardsUnderOtherKeys,
  deliveriesOfOrder,
  findOrder,
  isKeyInUse,
  notedKeys,
  operatorRecordsOf,
  orderIdByPageToken,
  orderIdBySerialNumber,
  postingsOfOrder,
  recentOrderIds,
  recurringPaymentOf,
  sentOrderIds,
  tasksOfOrder,
} from '../sql/queries.ts'
import type { Queries } from '../sql/tables.ts'
import type { KeyCheck, KeyFingerprints, Store } from '../store.ts'
import { commitQueue } from './commit-queue.ts'
import { type Database, type OpenDatabase, preparedStatement, slotsOf } from './database.ts'
import { aloneOn, inPlaceOf } from './open-database.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { type StoreTables, writeChange } from './write-change.ts'

/** How a SQLite store is opened. */
export interface SqliteStoreOptions {
  /** The name of the file, such as `/var/lib/gateway/gateway.db`. It is made if it does not exist. */
  readonly file: string
  /** How many orders are kept in memory, so that a change of one need not read it first. Default 4,096. */
  readonly cachedOrders?: number | undefined
  /**
   * How many used nonces are kept however old they are, so that a clock which was wrong does no harm once it is right again.
   * Default 100,000: about 10 MB.
   */
  readonly spareNonces?: number | undefined
  /**
   * Opens the file. Default: node:sqlite. Tests inject failures here.
   * @internal
   */
  readonly open?: OpenDatabase | undefined
}

/**
 * Opens a file, or creates it.
 *
 * @throws Error if this Node has no node:sqlite
 */
export function openFile(file: string): DatabaseSync {
  const { DatabaseSync } = requireSqlite('sqliteStore')
  return new DatabaseSync(file)
}

const KINDS: Validators<SqliteStoreOptions> = {
  file: validator.required({
    wanted: 'the name of a file, such as /var/lib/gateway/gateway.db; what is in memory alone is memoryStore()',
    isRight: (file) => typeof file === 'string' && file !== '' && file !== ':memory:',
  }),
  cachedOrders: validator.anything,
  spareNonces: validator.count,
  open: validator.function,
}

/**
 * A store in an SQLite file that this process has to itself. It is durable at each commit, which many changes share. Next to
 * the file are its log (`-wal`), and `.pid` with the id of the process that holds it.
 *
 * @throws TypeError if `file` is not the name of a file
 * @throws StoreError if the file is in use, by another process or by another SQLite library of this one, of a later version, not a store, damaged, or cannot be written to
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  checkOptions('sqliteStore', options, KINDS)
  const { file, cachedOrders = 4096, spareNonces = SPARE_NONCES, open = openFile } = options
  return openStore(file, { open, cachedOrders, spareNonces }, storeOn)
}

function storeOn({ database, queries, tables, cache, holder }: OpenStore): Store {
  const { orders, agenda, cards, nonces } = tables
  const requireInPlace = inPlaceOf(database)
  const requireAlone = aloneOn(database)
  const queue = commitQueue({
    database,
    soon: afterNextTurn,
    beforeCommit: () => {
      requireInPlace()
      requireAlone()
      nonces.sweep()
    },
    afterRollback: () => {
      cache.clear()
      nonces.reload()
    },
  })
  const probe = writabilityCheck(database, queries)
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await queue.close()
    holder.remove()
    // Closing moves the log into the file, and releases the lock.
    closeUnlessLeft(database)
  }

  return {
    durable: true,
    keyFingerprints: keyFingerprintsOf(database, queries, queue),
    commit: (change, now) => queue.run(() => writeChange(change, now, tables)),
    findOrder: (names) =>
      findOrder(names, {
        byId: (orderId) => orders.get(orderId),
        youngest: (each) => orders.youngest(each),
        idBySerialNumber: (each) => orderIdBySerialNumber(queries, each),
      }),
    orderById: async (orderId) => orders.get(orderId),
    orderByPageToken: async (token) => orders.get((await orderIdByPageToken(queries, token)) ?? ''),
    sentOrders: (before, limit) => sentOrderIds(queries, before, limit),
    postingsOf: (orderId) => postingsOfOrder(queries, orderId),
    deliveriesOf: (orderId) => deliveriesOfOrder(queries, orderId),
    tasksOf: (orderId) => tasksOfOrder(queries, orderId),
    claimDeliveries: async (claim) =>
      agenda.hasDueDelivery(claim.now) ? await queue.run(() => agenda.claimDeliveries(claim)) : [],
    claimTasks: async (claim) => (agenda.hasDueTask(claim.now) ? await queue.run(() => agenda.claimTasks(claim)) : []),
    listDue: (limit) => dueNext(queries, limit),
    nextDueAt: async () => agenda.nextDueAt(),
    releaseClaims: (now) => queue.run(() => releaseClaims(database, now)),
    pullBack: (limits) =>
      queue.run(() => {
        const statements = pullBackStatements(limits, {
          table: (name) => name,
          slot: (place) => `?${place}`,
          dayOf: (column) => `unixepoch(${column})`,
        })
        for (const { text, values } of statements) database.prepare(text).run(...values)
      }),
    card: async (cardId) => cards.card(cardId),
    cardReference: async (login, referenceId) => cards.reference(login, referenceId),
    cardsNotUnder: (keyId, after, limit) => cardsUnderOtherKeys(queries, keyId, after, limit),
    rewrapCard: (card, from) => queue.run(() => cards.rewrap(card, from)),
    recurringPayment: (login, clientOrderId) => recurringPaymentOf(queries, login, clientOrderId),
    recurringPaymentById: async (recurringPaymentId) => cards.recurringById(recurringPaymentId),
    recentOrders: async (login, limit) => {
      const ids = await recentOrderIds(queries, login, limit)
      return ids.flatMap((orderId) => orders.get(orderId) ?? [])
    },
    listOrders: async (query) => {
      const { orderIds, next } = await orderIdPage(queries, query)
      return { orders: orderIds.flatMap((orderId) => orders.get(orderId) ?? []), next }
    },
    listGivenUp: (query) => givenUpPage(queries, query),
    operatorRecords: (filter) => operatorRecordsOf(queries, filter),
    reset: () => queue.run(() => truncate(database, tables, cache)),
    isReady: () =>
      queue.run(probe).then(
        () => true,
        () => false,
      ),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Tables about the file itself, the keys that are used with it, and what persons had done. */
const KEPT = ['schema_version', 'probe', 'key_checks', 'operator_records']

/** Deletes every row of all other tables, within the transaction of the commit queue. */
function truncate(database: Database, { nonces }: Pick<StoreTables, 'nonces'>, cache: OrderCache): void {
  database.exec('PRAGMA defer_foreign_keys = ON')
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
  for (const { name } of tables.all()) {
    if (!KEPT.includes(String(name))) database.exec(`DELETE FROM ${String(name)}`)
  }
  nonces.reload()
  cache.clear()
}

/**
 * Gives back what the last process had claimed when it ended: no other process can have it, since this one has the file to itself.
 * It is due as it was when it was claimed, unless a clock that was wrong then has been corrected since.
 */
function releaseClaims(database: Database, now: number): void {
  for (const table of ['deliveries', 'tasks']) {
    database
      .prepare(
        `UPDATE ${table} SET due_at = min(due_at, claimed_at, ?), claimed_at = NULL WHERE claimed_at IS NOT NULL`,
      )
      .run(now)
  }
}

/** Writes a row, to see whether the store can be written to. */
function writabilityCheck(database: Database, queries: Queries): () => void {
  const write = preparedStatement(
    database,
    {},
    queries.updateTable('probe').set(({ eb, ref }) => ({ written: eb(ref('written'), '+', 1n) })),
  )
  return () => void write.run(undefined)
}

const KEY_CHECK = { key_name: ({ name }) => name, check_value: ({ value }) => value } satisfies Readers<KeyCheck>

function keyFingerprintsOf(
  database: Database,
  queries: Queries,
  queue: ReturnType<typeof commitQueue>,
): KeyFingerprints {
  const write = preparedStatement(
    database,
    KEY_CHECK,
    queries
      .insertInto('key_checks')
      .values(slotsOf(KEY_CHECK))
      .onConflict((conflict) => conflict.doNothing()),
  )
  return {
    note: async (checks) => {
      if (checks.length > 0) await queue.run(() => void checks.map((check) => write.run(check)))
      return await notedKeys(queries)
    },
    isInUse: (keyId) => isKeyInUse(queries, keyId),
  }
}
