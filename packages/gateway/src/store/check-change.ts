import type { Profile } from '@tallystick/core'
import type { Posting } from '../ledger/ledger.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Change, DueLimits, OrderChange, OrderNames, Store } from './store.ts'
import { StoreError } from './store-error.ts'

/**
 * Refuses a change that no decision makes: a fault in the program, not a conflict. Every store refuses it and writes
 * nothing of it.
 *
 * @throws TypeError
 */
export function requireDecided({ order, postings = [] }: Change): void {
  if (order !== undefined) {
    requireNextVersion(order)
    requireDistinct(order.order.operations)
  }
  requireBalance(postings)
}

function requireNextVersion({ order: { orderId, version }, basedOn }: OrderChange): void {
  if (basedOn !== 'nothing' && version !== basedOn + 1) {
    throw new TypeError(`Version ${version} of order ${orderId} does not follow version ${basedOn}`)
  }
}

function requireDistinct(operations: readonly StoredOperation[]): void {
  if (operations.length < 2) return
  const ids = new Set(operations.map(({ id }) => id))
  if (ids.size !== operations.length) throw new TypeError('An operation is there twice')
}

/** Double entry: the postings of an operation sum to zero. */
function requireBalance(postings: readonly Posting[]): void {
  const sums = new Map<string, bigint>()
  for (const { operationId, amount } of postings) sums.set(operationId, (sums.get(operationId) ?? 0n) + amount)
  for (const [id, sum] of sums) if (sum !== 0n) throw new TypeError(`The postings of ${id} sum to ${sum}`)
}

/**
 * Refuses an order that has lost an operation: operations are appended and change their status, but none is removed.
 *
 * @throws TypeError
 */
export function requireAppended(before: readonly StoredOperation[], after: readonly StoredOperation[]): void {
  const missing = before.find(({ id }, at) => after[at]?.id !== id)
  if (missing !== undefined) throw new TypeError(`Operation ${missing.id} is missing`)
}

/** When the deliveries and tasks of a change are due. */
export function dueTimes({ deliveries = [], attempts = [], tasks = [] }: Change): readonly number[] {
  const due = [...deliveries, ...attempts.map(({ delivery }) => delivery), ...tasks]
  return due.flatMap(({ dueAt }) => dueAt ?? [])
}

/** Machines may be a minute apart. */
const APART_MS = 60_000
/** The last zone's day ends this long after the day begins in UTC. */
export const LONGEST_DAY_MS = 36 * 3_600_000

/** From when to when a task was claimed or put off by a time that has been corrected, if it was. */
export function wronglyPutOff({ now, believed, leaseMs }: DueLimits): {
  readonly after: number
  readonly until: number
} {
  return { after: now + leaseMs + APART_MS, until: believed + leaseMs }
}

/** Whether an order has all of these names. */
export function matchesNames(order: StoredOrder, { login, clientOrderId, orderId, serialNumber }: OrderNames): boolean {
  return (
    order.login === login &&
    order.clientOrderId === clientOrderId &&
    (orderId === undefined || order.orderId === orderId) &&
    (serialNumber === undefined || order.operations.some((operation) => operation.serialNumber === serialNumber))
  )
}

const NAME = 'exponents'

/**
 * Refuses exponents other than those of the stored amounts. Amounts are stored in minor units, so 1000 yen would become 100000,
 * or 10. The first process on the store notes its exponents.
 *
 * @throws StoreError `EXPONENTS` that says what to do
 */
export async function requireSameExponents(
  { exponents }: Pick<Profile, 'exponents'>,
  { keyFingerprints }: Pick<Store, 'keyFingerprints'>,
): Promise<void> {
  const noted = (await keyFingerprints?.note([{ name: NAME, value: exponents }])) ?? []
  const kept = noted.find(({ name }) => name === NAME)?.value ?? exponents
  if (kept === exponents) return
  throw new StoreError(
    'EXPONENTS',
    `The amounts in this store are counted with the exponents ${kept}, and would be others with ${exponents}: ` +
      'set exponents to what it was, or use a new store',
  )
}
