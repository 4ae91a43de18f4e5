import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { GivenUpPage, GivenUpQuery, OrderQuery, Place, Span } from '../listing.ts'
import { deliveryOf, taskOf } from './rows.ts'
import type { Queries, Tables } from './tables.ts'

/**
 * How many orders or callbacks a page looks at, whether they match or not: about 3 ms of a process whose database answers at once, and keeps
 * everybody else waiting meanwhile.
 */
export const MOST_LOOKED_AT = 2000

interface IdPage {
  readonly orderIds: readonly string[]
  readonly next: Place | undefined
}

/**
 * Looks at so many orders at most, whether they match or not, so that no filter makes it read the whole table. By the merchant's own
 * id it looks at those alone that have it.
 */
export async function orderIdPage(queries: Queries, query: OrderQuery): Promise<IdPage> {
  const { limit, endpointId, last } = query
  const { orders, logins, end } = await lookedAt(queries, query)
  let found = queries.selectFrom(orders.as('looked')).select(['created_at', 'order_id'])
  if (logins.length > 0) found = found.where('login', 'in', logins)
  if (endpointId !== undefined) found = found.where('endpoint_id', '=', endpointId)
  if (last !== undefined) found = found.where((eb) => eb(lastIsOneOf(eb, last), '=', sql.lit(1)))
  const rows = await found.orderBy('created_at', 'desc').orderBy('order_id', 'desc').limit(limit).execute()
  const next = rows.length === limit ? rows.at(-1) : end
  return {
    orderIds: rows.map(({ order_id }) => order_id),
    next: next && { at: Number(next.created_at), id: next.order_id },
  }
}

/** The orders that are looked at, and the last of them if there are more. The index of client order ids begins with the login. */
async function lookedAt(queries: Queries, { login, clientOrderId, ...span }: OrderQuery) {
  const orders = queries
    .selectFrom('orders')
    .select(['seq', 'created_at', 'order_id', 'login', 'endpoint_id'])
    .where((eb) => eb.and(termsOf(span, 'created_at', 'order_id')))
  if (clientOrderId !== undefined) {
    const logins = login === undefined ? await allLogins(queries) : [login]
    return { orders: orders.where('client_order_id', '=', clientOrderId), logins, end: undefined }
  }
  const latest = orders.orderBy('created_at', 'desc').orderBy('order_id', 'desc')
  const end = await latest
    .clearSelect()
    .select(['created_at', 'order_id'])
    .limit(1)
    .offset(MOST_LOOKED_AT - 1)
    .executeTakeFirst()
  return { orders: latest.limit(MOST_LOOKED_AT), logins: login === undefined ? [] : [login], end }
}

/** Finds each by the one before it: reading them off all orders would take long. */
async function allLogins(queries: Queries): Promise<readonly string[]> {
  const logins: string[] = []
  for (;;) {
    const next = await queries
      .selectFrom('orders')
      .select('login')
      .where('login', '>', logins.at(-1) ?? '')
      .orderBy('login')
      .limit(1)
      .executeTakeFirst()
    if (next === undefined) return logins
    logins.push(next.login)
  }
}

/** What a span means for the two columns that a list is sorted by. Of two ends one is left: SQLite would search by the later one. */
function termsOf({ since, until, after }: Span, at: string, id: string): Expression<SqlBool>[] {
  const time = sql.ref<bigint>(at)
  const isAfterEnd = after !== undefined && (until === undefined || after.at < until)
  return [
    ...(since === undefined ? [] : [sql<boolean>`${time} >= ${BigInt(since)}`]),
    ...(until === undefined || isAfterEnd ? [] : [sql<boolean>`${time} < ${BigInt(until)}`]),
    ...(isAfterEnd ? [sql<boolean>`(${time}, ${sql.ref(id)}) < (${BigInt(after.at)}, ${after.id})`] : []),
  ]
}

/**
 * Whether the last operation of an order is one of these. A value, and no `exists`: of that PostgreSQL may make a join that reads all
 * operations.
 */
function lastIsOneOf(
  eb: ExpressionBuilder<Tables & { looked: { seq: bigint } }, 'looked'>,
  wanted: NonNullable<OrderQuery['last']>,
) {
  return eb
    .selectFrom('operations')
    .select((of) => {
      const isWanted = wanted.map(({ status, kind }) =>
        of.and([of('status', '=', status), ...(kind === undefined ? [] : [of('kind', '=', kind)])]),
      )
      return of.case().when(of.or(isWanted)).then(sql.lit(1)).else(sql.lit(0)).end().as('is_wanted')
    })
    .whereRef('order_seq', '=', 'looked.seq')
    .orderBy('position', 'desc')
    .limit(1)
}

/** As of orders, but few callbacks are given up. */
export async function givenUpPage(queries: Queries, { login, limit, ...span }: GivenUpQuery): Promise<GivenUpPage> {
  const latest = queries
    .selectFrom('deliveries')
    .where('given_up_at', 'is not', null)
    .where((eb) => eb.and(termsOf(span, 'given_up_at', 'delivery_id')))
    .orderBy('given_up_at', 'desc')
    .orderBy('delivery_id', 'desc')
  const end = await latest
    .selectAll()
    .limit(1)
    .offset(MOST_LOOKED_AT - 1)
    .executeTakeFirst()
  const all = queries
    .selectFrom(latest.selectAll().limit(MOST_LOOKED_AT).as('looked'))
    .innerJoin('orders', 'orders.seq', 'looked.order_seq')
    .selectAll('looked')
    .select('order_id')
  const meant = login === undefined ? all : all.where('login', '=', login)
  const rows = await meant.orderBy('given_up_at', 'desc').orderBy('delivery_id', 'desc').limit(limit).execute()
  const next = rows.length === limit ? rows.at(-1) : end
  return {
    deliveries: rows.map(deliveryOf),
    next: next && { at: Number(next.given_up_at), id: next.delivery_id },
  }
}

/** What is due next. */
export async function dueNext(queries: Queries, limit: number) {
  const deliveries = await queries
    .selectFrom('deliveries')
    .innerJoin('orders', 'orders.seq', 'deliveries.order_seq')
    .selectAll('deliveries')
    .select('order_id')
    .where('deliveries.due_at', 'is not', null)
    .orderBy('deliveries.due_at')
    .orderBy('delivery_id')
    .limit(limit)
    .execute()
  const tasks = await queries
    .selectFrom('tasks')
    .leftJoin('orders', 'orders.seq', 'tasks.order_seq')
    .selectAll('tasks')
    .select('order_id')
    .where('tasks.due_at', '>=', 0n)
    .orderBy('tasks.due_at')
    .orderBy('task_id')
    .limit(limit)
    .execute()
  return { deliveries: deliveries.map(deliveryOf), tasks: tasks.map(taskOf) }
}
