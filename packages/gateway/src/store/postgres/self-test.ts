import { isDeepStrictEqual } from 'node:util'
import { sqlColumns } from '@tallystick/core/internal'
import { serverCode } from '@tallystick/durable/sqlstate'
import type { OAuthNonce } from '@tallystick/signing/internal'
import type { StoredOrder } from '../../orders/order.ts'
import { NAMESAKE, ORPHAN, OVERDRAWN, SAMPLE } from '../sql/self-test-samples.ts'
import { StoreError } from '../store-error.ts'
import { PartlyDoneError } from './connection-errors.ts'
import { locksOf } from './locks.ts'
import { ordersOf } from './order-statements.ts'
import { type AskTools, ask } from './retry.ts'
import type { Statement } from './statement.ts'
import { type Statements, statementsOver } from './statements.ts'
import { type Step, transact, type Work } from './transaction.ts'

/** An order that was signed with a control, and the same control sent again under another client order id. */
const SIGNED: StoredOrder = {
  ...SAMPLE,
  orderId: 'self-test-3',
  clientOrderId: 'self-test-3',
  signedAs: 'self-test',
}
const SIGNED_AGAIN: StoredOrder = { ...SIGNED, orderId: 'self-test-4', clientOrderId: 'self-test-4' }

/** A nonce of a time that is not forgotten yet. */
const NONCE: OAuthNonce = {
  timestamp: 100_000_000_000,
  consumerKey: 'self-test',
  nonce: 'self-test',
}

/** Numbers of rows begin at 1. */
const SEQ = 0
/** A position at which the sample has no operation. */
const NOWHERE = 9

/**
 * Checks that the schema keeps what is written to it and refuses what it must, before money depends on it: a restored copy
 * may have lost its constraints, and something between the gateway and the server may not roll back when it is told to.
 *
 * @throws StoreError `UNSOUND`, with what is wrong
 */
export async function selfTest(schema: string, tools: AskTools): Promise<void> {
  const statements = statementsOver(schema)
  const opening = [locksOf(schema).writing]
  const wrong =
    (await transact(() => wrongWriting(statements), { ...tools, opening })) ?? (await leftovers(statements, tools))
  if (wrong !== undefined) throw new StoreError('UNSOUND', `The schema ${schema} ${wrong}`)
}

/** Writes, reads, breaks each kind of constraint, and rolls all of it back. */
function* wrongWriting(statements: Statements): Work<string | undefined> {
  const { insertOrders, insertOperations, updateOrders, insertPostings, ordersById, consume } = statements
  const found = (wrong: string | undefined) => ({ keep: false, result: wrong })
  const operations = SAMPLE.operations.map((operation, position) => ({ seq: SEQ, position, operation, node: 0n }))
  yield [insertOrders([insertOf(SAMPLE, SEQ)]), insertOperations(operations)]
  const [read] = yield [ordersById([SAMPLE.orderId])]
  if (!isDeepStrictEqual(ordersOf(read?.rows ?? [])[0]?.order, SAMPLE))
    return found('does not give back what was written')
  const overdrawn = {
    order: OVERDRAWN,
    sums: sqlColumns(OVERDRAWN.operations),
    now: 0,
    seq: SEQ,
    before: 1,
    hasSameDetails: true,
  }
  if (!(yield* isRefused(updateOrders([overdrawn])))) return found('lets an order be overdrawn')
  if (!(yield* isRefused(insertPostings([{ posting: ORPHAN, seq: SEQ, position: NOWHERE }]))))
    return found('books money of no operation')
  const [namesake] = yield [insertOrders([insertOf(NAMESAKE, SEQ - 1)])]
  if (namesake?.rowCount !== 0) return found('takes an order twice')
  const [, again] = yield [insertOrders([insertOf(SIGNED, SEQ - 2)]), insertOrders([insertOf(SIGNED_AGAIN, SEQ - 3)])]
  if (again?.rowCount !== 0) return found('takes a control twice')
  const [, consumed] = yield [consume([NONCE]), consume([NONCE])]
  return found(consumed?.rowCount === 0 ? undefined : 'takes a nonce twice')
}

function insertOf(order: StoredOrder, seq: number) {
  return { order, sums: sqlColumns(order.operations), now: 0, seq, repetition: 0 }
}

const SAVEPOINT: Statement = { text: 'SAVEPOINT self_test' }
const ROLLBACK_TO: Statement = { text: 'ROLLBACK TO SAVEPOINT self_test' }

/** Integrity constraint violations. @see {@link https://www.postgresql.org/docs/current/errcodes-appendix.html} */
const CONSTRAINT = /^23/

function* isRefused(statement: Statement): Step<boolean> {
  try {
    yield [SAVEPOINT, statement]
    return false
  } catch (error) {
    if (!(error instanceof PartlyDoneError && CONSTRAINT.test(serverCode(error.cause) ?? ''))) throw error
    yield [ROLLBACK_TO]
    return true
  }
}

const WRITTEN = [SAMPLE, NAMESAKE, SIGNED, SIGNED_AGAIN]

async function leftovers({ ordersById }: Statements, tools: AskTools): Promise<string | undefined> {
  const { rows } = await ask(ordersById(WRITTEN.map(({ orderId }) => orderId)), tools)
  return rows.length === 0 ? undefined : 'keeps what was rolled back'
}
