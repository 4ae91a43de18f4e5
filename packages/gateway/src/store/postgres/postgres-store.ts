import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { mutex } from '@tallystick/durable/mutex'
import type { Selectable } from 'kysely'
import { afterTurn, realTime } from '../../runtime/system.ts'
import { SPARE_NONCES } from '../nonce-window.ts'
import { decodeRecurringPayment } from '../recurring-payment.ts'
import { pullBackStatements } from '../sql/dialect.ts'
import { dueNext, givenUpPage, orderIdPage } from '../sql/list-queries.ts'
import {
  cardsUnderOtherKeys,
  deliveriesOfOrder,
  findOrder,
  operatorRecordsOf,
  orderIdByPageToken,
  orderIdBySerialNumber,
  postingsOfOrder,
  recentOrderIds,
  recurringPaymentOf,
  sentOrderIds,
  tasksOfOrder,
} from '../sql/queries.ts'
import { cardOf, deliveryOf, referenceOf, taskOf } from '../sql/rows.ts'
import type { CardReferencesTable, CardsTable, DeliveriesTable, TasksTable } from '../sql/tables.ts'
import type { Claim } from '../store.ts'
import { connectionsTo, requireAddress } from './connections.ts'
import { gather } from './gather.ts'
import { locksOf } from './locks.ts'
import { openAtFirstUse, type SharedStore } from './open-at-first-use.ts'
import type { OpenStore } from './open-store.ts'
import { keyFingerprintsOf, type OpenOptions, openStore, requireSchemaName, truncate } from './open-store.ts'
import { type OrderName, ordersOf } from './order-statements.ts'
import { ask, askOnce, atIntervals } from './retry.ts'
import { rowsAs, type Statement } from './statement.ts'
import type { Statements } from './statements.ts'
import { transact } from './transaction.ts'

/** The database of a gateway. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host/database`, with `?sslmode=verify-full` beyond this machine. */
  readonly connectionString: string
  /**
   * Whether the connection to a database beyond this machine may be unencrypted, or to a server that is not verified. Only if
   * the network itself is safe, as between containers of one machine. Default false.
   */
  readonly allowPlainConnection?: boolean | undefined
  /** The schema of its tables, which is created if it does not exist. Default `tallystick`. */
  readonly schema?: string | undefined
  /** The most connections at once; the lease has one more, and pg-boss two. Default 10. */
  readonly connections?: number | undefined
  /** How many orders are kept in memory, so that a change of one need not read it first. Default 4,096. */
  readonly cachedOrders?: number | undefined
  /**
   * How many used nonces are kept however old they are, so that a clock which was wrong does no harm once it is right again.
   * Default 100,000: about 10 MB.
   */
  readonly spareNonces?: number | undefined
  /**
   * Whether pg-boss wakes the nodes when something is due, with a schema of its own beside this one (`tallystick_wakeups`).
   * Default true. Each node also looks every 5 s on its own.
   */
  readonly jobs?: boolean | undefined
  /** Called with failures that no caller receives: the server was away, or a job was not written. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The address and the schema are checked where they are read. */
const KINDS: Validators<PostgresStoreOptions> = {
  connectionString: validator.anything,
  allowPlainConnection: validator.flag,
  schema: validator.anything,
  connections: validator.count,
  cachedOrders: validator.anything,
  spareNonces: validator.count,
  jobs: validator.flag,
  onError: validator.function,
}

/**
 * A store in PostgreSQL that any number of processes can share; none holds anything that the others need. Changes of one
 * process share a transaction.
 *
 * It connects and brings its schema to the newest version at the first use, or by `ready`. If that fails, the next use tries again.
 * It fails with a `StoreError` if the server is away, too old or a standby; if its clock is too far from this machine's; or if
 * the schema is another program's, of a later version, or fails the self-test; and with a `TypeError` if the schema is a reserved word.
 *
 * @throws TypeError that names a wrong option
 */
export function postgresStore(options: PostgresStoreOptions): SharedStore & {
  /** Connects, and fails with what is wrong with the database: call it before you take requests. */
  ready(): Promise<void>
} {
  checkOptions('postgresStore', options, KINDS)
  const { connectionString, connections: most = 10, schema = 'tallystick', jobs = true, onError = () => {} } = options
  requireAddress(connectionString, options.allowPlainConnection ?? false)
  requireSchemaName(schema)
  return openAtFirstUse(async () => {
    const startJobs = jobs ? (await import('./pg-boss-jobs.ts')).pgBossJobs : undefined
    return await openPostgresStore({
      schema,
      cachedOrders: options.cachedOrders ?? 4096,
      spareNonces: options.spareNonces ?? SPARE_NONCES,
      connect: (each) => connectionsTo({ connectionString, most, ...each }),
      time: realTime,
      startJobs:
        startJobs &&
        ((time, wake) => startJobs({ connectionString, schema: `${schema}_wakeups`, time, onError }, wake)),
      onError,
    })
  })
}

/**
 * The store over the connections it is given: tests inject failures there.
 * @internal
 */
export async function openPostgresStore(options: OpenOptions): Promise<SharedStore> {
  return storeOn(await openStore(options), options)
}

type ClaimedDelivery = Selectable<DeliveriesTable> & { readonly order_id: string }

type ClaimedTask = Selectable<TasksTable> & { readonly order_id: string | null }

/** Both are free texts: quoting keeps them apart. */
function nameOf({ login, clientOrderId }: OrderName): string {
  return JSON.stringify([login, clientOrderId])
}

/** Nonces that nobody accepts any more take up room, but do no other harm. */
const NONCES_SWEPT_EVERY_MS = 10_000

function storeOn(open: OpenStore, { schema, onError }: OpenOptions): SharedStore {
  const { tools, queries, statements, cache, window, lease, clocks, queue, wakes } = open
  const rows = async <Row>(statement: Statement) => rowsAs<Row>((await ask(statement, tools)).rows)
  const orders = async (statement: Statement) => ordersOf((await ask(statement, tools)).rows).map(({ order }) => order)
  const allById = async (ids: readonly string[]) => {
    const found = new Map((await orders(statements.ordersById(ids))).map((order) => [order.orderId, order]))
    return (orderId: string) => found.get(orderId)
  }
  const inOrder = async (ids: readonly string[]) => {
    const found = await allById(ids)
    return ids.flatMap((orderId) => found(orderId) ?? [])
  }
  // What is read for several requests at once is one statement.
  const byId = gather({ ask: allById, nameOf: (orderId) => orderId, soon: afterTurn })
  const allByName = async (names: readonly OrderName[]) => {
    const found = new Map((await orders(statements.youngestOrders(names))).map((order) => [nameOf(order), order]))
    return (name: OrderName) => found.get(nameOf(name))
  }
  const youngest = gather({ ask: allByName, nameOf, soon: afterTurn })
  const inTurn = mutex()
  /** Claims nothing while this machine's clock is wrong. */
  const claimed = <Row>(statement: Statements['claimTasks'], claim: Claim) =>
    inTurn(async () => (clocks.agree() ? await rows<Row>(statement({ ...claim, node: lease.node() })) : []))
  const sweeping = atIntervals(window.sweep, { time: tools.time, everyMs: NONCES_SWEPT_EVERY_MS, onError })
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await wakes.end()
    await queue.close()
    await sweeping.end()
    await lease.end().catch(onError)
    await open.disconnect()
  }

  return {
    durable: true,
    cluster: {
      isAlive: lease.isAlive,
      mayClaim: () => clocks.agree() && lease.isAlive(),
      // While nothing is being written: whatever this process has written as sent, it knows to be under way by now.
      takeAbandonedOperations: (limit, isUnderWay) =>
        queue.alone(async () => (await lease.takeLeft(limit)).filter(({ operationId }) => !isUnderWay(operationId))),
      onWake: wakes.onWake,
    },
    keyFingerprints: keyFingerprintsOf({ schema, queries, ...tools }),
    commit: async (change, now) => {
      clocks.requireAgreement(change)
      const committed = await queue.commit(change, now)
      if (committed.ok) wakes.announce(change, now)
      return committed
    },
    findOrder: (names) =>
      findOrder(names, {
        byId,
        youngest,
        idBySerialNumber: (each) => orderIdBySerialNumber(queries, each),
      }),
    orderById: byId,
    orderByPageToken: async (token) => {
      const orderId = await orderIdByPageToken(queries, token)
      return orderId === undefined ? undefined : await byId(orderId)
    },
    sentOrders: (before, limit) => sentOrderIds(queries, before, limit),
    postingsOf: (orderId) => postingsOfOrder(queries, orderId),
    deliveriesOf: (orderId) => deliveriesOfOrder(queries, orderId),
    tasksOf: (orderId) => tasksOfOrder(queries, orderId),
    claimDeliveries: async (claim) =>
      (await claimed<ClaimedDelivery>(statements.claimDeliveries, claim)).map(deliveryOf),
    claimTasks: async (claim) => (await claimed<ClaimedTask>(statements.claimTasks, claim)).map(taskOf),
    listDue: (limit) => dueNext(queries, limit),
    nextDueAt: async () => {
      if (!clocks.agree()) return undefined
      const dueAt = (await rows<{ readonly due_at: bigint | null }>(statements.nextDueAt))[0]?.due_at ?? undefined
      return dueAt === undefined ? undefined : Number(dueAt)
    },
    pullBack: async (limits) => {
      if (!clocks.agree()) return
      const statements = pullBackStatements(limits, {
        table: (name) => `${schema}.${name}`,
        slot: (place) => `$${place}`,
        dayOf: (column) => `extract(epoch FROM ${column}::timestamp)`,
      })
      for (const statement of statements) await ask(statement, tools)
    },
    card: async (cardId) => {
      const [row] = await rows<Omit<Selectable<CardsTable>, 'seq'>>(statements.card(cardId))
      return row && cardOf(row)
    },
    cardReference: async (login, referenceId) => {
      const [row] = await rows<Selectable<CardReferencesTable>>(statements.reference(referenceId))
      return referenceOf(row, login)
    },
    cardsNotUnder: (keyId, after, limit) => cardsUnderOtherKeys(queries, keyId, after, limit),
    rewrapCard: (card, from) =>
      queue.alone(async () => (await ask(statements.rewrap(card, from), tools)).rowCount === 1),
    recurringPayment: (login, clientOrderId) => recurringPaymentOf(queries, login, clientOrderId),
    recurringPaymentById: async (recurringPaymentId) => {
      const [row] = await rows<{ readonly payment: string }>(statements.recurringById(recurringPaymentId))
      return row && decodeRecurringPayment(row.payment)
    },
    recentOrders: async (login, limit) => await inOrder(await recentOrderIds(queries, login, limit)),
    listOrders: async (query) => {
      const { orderIds, next } = await orderIdPage(queries, query)
      return { orders: await inOrder(orderIds), next }
    },
    listGivenUp: (query) => givenUpPage(queries, query),
    operatorRecords: (filter) => operatorRecordsOf(queries, filter),
    reset: () =>
      queue.alone(async () => {
        await transact(() => truncate(schema), { ...tools, opening: [locksOf(schema).alone] })
        cache.clear()
      }),
    isReady: async () =>
      clocks.agree() &&
      (await askOnce(probe(schema), tools.connections).then(
        () => true,
        () => false,
      )),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Writes a row, to see whether the store can be written to. */
function probe(schema: string): Statement {
  return { name: 'probe', text: `UPDATE ${schema}.probe SET written = written + 1` }
}
