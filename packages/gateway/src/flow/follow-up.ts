import { isFinalStatus, maskCardNumbers } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import type { Delivery } from '../callbacks/delivery.ts'
import { callbackUrl } from '../callbacks/notice.ts'
import { postingsOf } from '../ledger/postings.ts'
import { advanceOperation, operationOf, ruledOrder } from '../orders/derive.ts'
import type { OperationOutcome, StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Change } from '../store/store.ts'
import type { OrderTask } from '../store/task.ts'
import { abandonTask } from './patience.ts'
import type { Service } from './service.ts'

/** A change of an order that is decided and not written yet, with the order as it is afterwards. */
export interface DecidedChange {
  readonly order: StoredOrder
  readonly change: Change
}

export interface FollowUp {
  readonly order: StoredOrder
  readonly operationId: string
  readonly decision: Decision
  readonly at: number
}

/**
 * All that follows from what the acquirer decided about an operation: its status, the money that moved, whom to tell,
 * and what to come back to. Pure: it is written by whoever asked.
 */
export function followUp({ order: before, operationId, decision, at }: FollowUp, service: Service): DecidedChange {
  const { methodCompletion } = operationOf(before, operationId).outcome
  const step = { status: decision.status, at, outcome: { methodCompletion, ...outcomeOf(decision) } }
  const { order, operation } = advanceOperation(before, operationId, step)
  const lookup = lookupTask(order, operation, at)
  const expiry = [releaseTask(order, operation), expireCheckTask(order, operation)]
  const due = [lookup, ...expiry, abandonTask(order, service.merchants)].filter((task) => task !== undefined)
  return {
    order,
    change: {
      order: { order, basedOn: before.version },
      postings: movements(order, operation),
      deliveries: notices(order, operation, service),
      tasks: due,
      doneTasks: lookup === undefined && hadLookup(before, operationId) ? [lookupId(operationId)] : [],
    },
  }
}

function outcomeOf(decision: Decision): OperationOutcome {
  switch (decision.status) {
    case 'approved': {
      const { approvalCode, processorTxId, verified3dStatus } = decision
      // Told where there is one (gaps part 4).
      return { approvalCode: approvalCode || undefined, processorTxId: processorTxId || undefined, verified3dStatus }
    }
    case 'declined':
    case 'filtered':
    case 'error': {
      const { errorCode, errorMessage } = decision
      return { errorCode, errorMessage: inAddresses(errorMessage) }
    }
    case 'processing':
      return { awaits: decision.awaits }
    case 'unknown':
      return {}
  }
}

/** In characters; encoded, each may take nine bytes of the 8,000 that an address has. */
const LONGEST_MESSAGE = 500

/**
 * What the acquirer says in words, as it can be kept and told in the clear, also within the address of a callback: it may quote
 * the card, be a whole page, or end in the middle of a character. One of plain JavaScript may say nothing, or no text.
 */
function inAddresses(message: unknown): string | undefined {
  return typeof message === 'string' ? maskCardNumbers(message).slice(0, LONGEST_MESSAGE).toWellFormed() : undefined
}

function movements(order: StoredOrder, { id, kind, amount, status, statusAt }: StoredOperation) {
  if (status !== 'approved') return []
  const { orderId, terms, details } = order
  const fromDeposit = kind === 'transfer' && details.card === undefined
  return postingsOf({ orderId, operationId: id, kind, amount, currency: terms.currency, at: statusAt, fromDeposit })
}

/** A callback for a final outcome (gaps part 6). A payout in two steps has its outcome at the second. */
function notices(order: StoredOrder, operation: StoredOperation, service: Service): readonly Delivery[] {
  const { kind, status, statusAt } = operation
  const isFirstStep = kind === 'payout-check' && status === 'approved'
  return isFinalStatus(status) && !isFirstStep ? noticesOf({ order, operation, at: statusAt }, service) : []
}

/** What has come of an operation at an instant. */
interface Outcome {
  readonly order: StoredOrder
  readonly operation: StoredOperation
  readonly at: number
}

/** The callback that tells the outcome of an operation; none where nobody wants to hear of it. */
export function noticesOf({ order, operation, at }: Outcome, service: Service): readonly Delivery[] {
  const address = addressFor(order, operation, service)
  const merchant = service.merchants.byLogin(order.login)
  if (address === undefined || merchant === undefined) return []
  const { controlKey } = merchant
  const { profile, merchants } = service
  const descriptor = merchants.endpoint(order.endpointId)?.descriptor
  const url = callbackUrl({ address, order, operation, controlKey, profile, descriptor, at })
  return [{ id: operation.id, orderId: order.orderId, url, createdAt: at, dueAt: at, made: 0, state: 'open' }]
}

/**
 * `server_callback_url` hears of the original transaction, `notify_url` of that in its place and of what comes later,
 * also where the endpoint has one of its own.
 */
function addressFor(order: StoredOrder, operation: StoredOperation, service: Service): string | undefined {
  const { serverCallbackUrl, notifyUrl } = order.details.addresses
  const later = notifyUrl ?? service.merchants.endpoint(order.endpointId)?.notifyUrl
  const isOriginal = operation === order.operations[0] || operation.kind === 'payout-pay'
  return isOriginal ? (serverCallbackUrl ?? later) : later
}

/** How long the other side is given before each try; after the last of these a day each. */
const WAITS: readonly number[] = [60_000, 300_000, 900_000, 3_600_000, 21_600_000]
const DAY_MS = 86_400_000
/** After so many it is left to a person. */
export const MOST_TRIES = 30

/** How long to wait before something is tried again that was tried so many times before. */
export function waitBeforeTry(tried: number): number {
  return WAITS[tried] ?? DAY_MS
}

/** When an operation without an outcome is looked up next, after so many times; `at` is now. */
export function lookupTask(
  { orderId }: StoredOrder,
  operation: StoredOperation,
  at: number,
  tried = 0,
): OrderTask | undefined {
  if (!isWithoutOutcome(operation) || tried >= MOST_TRIES) return undefined
  return { id: lookupId(operation.id), kind: 'lookup', orderId, dueAt: at + waitBeforeTry(tried), tried }
}

/** The acquirer had all that it needs, and has not said what became of it. */
export function isWithoutOutcome({ status, outcome }: StoredOperation): boolean {
  return status === 'unknown' || (status === 'processing' && outcome.awaits === undefined)
}

/** The one task that looks an operation up. */
export function lookupId(operationId: string): string {
  return `lookup-${operationId}`
}

function hadLookup(order: StoredOrder, operationId: string): boolean {
  return order.operations.some(({ id, status }) => id === operationId && status !== 'sent')
}

/** A hold is released when it expires (gaps part 13). */
function releaseTask(order: StoredOrder, operation: StoredOperation): OrderTask | undefined {
  if (operation !== order.operations[0] || operation.kind !== 'preauth') return undefined
  const { holdExpiresAt } = ruledOrder(order)
  if (holdExpiresAt === undefined) return undefined
  const { orderId } = order
  return { id: `release-${orderId}`, kind: 'release', orderId, dueAt: holdExpiresAt, tried: 0 }
}

/** A payout-check that nobody pays in time ends (rule `check-expiry`). */
function expireCheckTask(order: StoredOrder, operation: StoredOperation): OrderTask | undefined {
  if (operation.kind !== 'payout-check') return undefined
  const { checkExpiresAt } = ruledOrder(order)
  if (checkExpiresAt === undefined) return undefined
  const { orderId } = order
  return { id: `expire-check-${orderId}`, kind: 'expire-check', orderId, dueAt: checkExpiresAt, tried: 0 }
}
