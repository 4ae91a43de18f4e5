import { isFinalStatus } from '@tallystick/core'
import { GATEWAY_CODES } from '@tallystick/core/internal'
import type { Decision } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { withoutParticulars } from '../orders/new-order.ts'
import { advanceOperation, appendOperation, openingOperation, ruledOrder } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { MOST_TRIES, waitBeforeTry } from '../scheduler/scheduler.ts'
import type { Change, OrderTask } from '../store/store.ts'
import { deliveriesFor } from './deliveries.ts'
import { askedOperation, execute } from './execute.ts'
import { applyOutcome } from './settle.ts'
import { awaitedOfCustomer, customerDeadlineAt, expiryTask, formLifetime, isAhead } from './tasks.ts'

/**
 * Reports a payout-check as declined because the merchant did not pay it in time. One that was paid, or is being paid, is left
 * alone: its outcome is that of the second step. The order records that it was reported, so that it cannot be paid afterwards,
 * whatever a clock says.
 */
export async function expireCheck(task: OrderTask, service: Service): Promise<void> {
  for (;;) {
    const order = await service.store.orderById(task.orderId)
    const later = order && notYet(task, order, service.clock.trusted())
    if (later !== undefined) return void (await service.commit({ tasks: [later] }))
    const isPaid = order === undefined || order.operations.length > 1
    const change = isPaid ? {} : expired(order, service)
    const { ok } = await service.commit({ ...change, doneTasks: [task.id] })
    if (ok) return
  }
}

function expired(before: StoredOrder, service: Service): Change {
  const at = service.clock.now()
  const { id, status, outcome } = openingOperation(before)
  const step = { status, at, outcome: { ...outcome, isExpired: true } } as const
  const { order, operation } = advanceOperation(before, id, step)
  return { order: { order, basedOn: before.version }, deliveries: deliveriesFor({ order, operation, at }, service) }
}

/** How an order ends if its customer stays away. `form`: nothing was sent. `authentication`: the issuer has not said yes. */
const ABSENT = {
  form: {
    status: 'error',
    errorCode: GATEWAY_CODES.customerAbsent,
    errorMessage: 'The customer did not fill in the form.',
  },
  authentication: {
    status: 'declined',
    errorCode: GATEWAY_CODES.customerAbsent,
    errorMessage: 'The customer did not finish the authentication.',
  },
} as const satisfies Record<string, Decision>

/**
 * Ends an order that has waited for its customer long enough, with its callback and all that follows. An order that no longer
 * waits is left alone. If the customer still has time, or may yet be asked for something, the task is due again later.
 */
export async function abandonOrder(task: OrderTask, service: Service): Promise<void> {
  for (;;) {
    const order = await service.store.orderById(task.orderId)
    const next = order && laterTask(order, task, service)
    if (next !== undefined) return void (await service.commit({ tasks: [next] }))
    const awaited = order && awaitedOfCustomer(order)
    if (order === undefined || awaited === undefined) return void (await service.commit({ doneTasks: [task.id] }))
    const { change } = endingOf(order, ABSENT[awaited], service)
    const { ok } = await service.commit({ ...change, doneTasks: [...(change.doneTasks ?? []), task.id] })
    if (ok) return
  }
}

/** Ends an order before the acquirer has it, or while it waits for the customer. */
export function endingOf(order: StoredOrder, decision: Decision, service: Service) {
  const { id: operationId } = openingOperation(order)
  return applyOutcome({ order: withoutParticulars(order), operationId, decision, at: service.clock.now() }, service)
}

/** The task again, if the customer has time left or the acquirer may still ask for an authentication. */
function laterTask(order: StoredOrder, task: OrderTask, { merchants, clock }: Service): OrderTask | undefined {
  const now = clock.trusted()
  if (awaitedOfCustomer(order) !== undefined) {
    const dueAt = customerDeadlineAt(order, merchants)
    if (dueAt <= now) return undefined
    if (!isOfWrongTime(order, now)) return { ...task, dueAt }
    return task.tried > 0 ? undefined : { ...task, dueAt: now + formLifetime(order, merchants), tried: 1 }
  }
  const { status } = openingOperation(order)
  if (isFinalStatus(status) || status === 'unknown') return undefined
  return { ...task, dueAt: now + formLifetime(order, merchants), tried: task.tried + 1 }
}

/**
 * Releases what is still on hold when the hold has expired (gaps part 13). The task stays until there is nothing to release any
 * more, so a release is tried again if it was declined, or if another operation in flight holds it up. What is still on hold
 * after the last of many tries is reported.
 */
export async function releaseHold(task: OrderTask, service: Service): Promise<void> {
  const order = await service.store.orderById(task.orderId)
  if (order === undefined) return
  const at = service.clock.trusted()
  const later = notYet(task, order, at)
  if (later !== undefined) return void (await service.commit({ tasks: [later] }))
  const appended = releaseOf(order, service)
  const isDone = nothingIsLeft(appended)
  const again = { ...task, dueAt: at + waitBeforeTry(task.tried), tried: task.tried + 1 }
  const isLast = !isDone && again.tried >= MOST_TRIES
  const goOn = isDone || isLast ? { doneTasks: [task.id] } : { tasks: [again] }
  const change = appended.ok ? { order: { order: appended.order, basedOn: order.version } } : {}
  const { ok } = await service.commit({ ...change, ...goOn })
  if (ok && appended.ok) await execute(askedOperation(appended.order, appended.operation, service), service)
  if (ok && isLast) await tellIfHeld(order, service)
}

function releaseOf(order: StoredOrder, { clock, ids }: Service) {
  const expiresAt = isOfWrongTime(order, clock.now()) ? ruledOrder(order).holdExpiresAt : undefined
  return appendOperation(order, { action: 'release', at: expiresAt ?? clock.now(), serialNumber: ids.serialNumber() })
}

const HOLDING_UP: readonly string[] = ['one-in-flight', 'G13-17']

/** Not while the release is only held up: what is in flight is looked up, and may turn out to have been the release. */
function nothingIsLeft(appended: ReturnType<typeof appendOperation>): boolean {
  return !appended.ok && !HOLDING_UP.includes(appended.refusal.rule)
}

async function tellIfHeld({ orderId }: StoredOrder, service: Service): Promise<void> {
  const order = await service.store.orderById(orderId)
  if (order === undefined || nothingIsLeft(releaseOf(order, service))) return
  service.onError(
    new Error(
      `The hold of the order ${orderId} could not be released in ${MOST_TRIES} tries, and is not tried again: ask the acquirer to release it`,
    ),
    openingOperation(order).serialNumber,
  )
}

function isOfWrongTime(order: StoredOrder, now: number): boolean {
  return isAhead(openingOperation(order).statusAt, now)
}

/**
 * The task again, if the clock was set back since it was planned or claimed, and its time has not come. Where the order itself
 * is from the wrong time, it waits once for as long as it should have, from now on.
 */
function notYet(task: OrderTask, order: StoredOrder, now: number): OrderTask | undefined {
  const { dueAt } = expiryTask(order, openingOperation(order)) ?? {}
  if (dueAt === undefined || dueAt <= now) return undefined
  if (!isOfWrongTime(order, now)) return { ...task, dueAt }
  return task.tried > 0 ? undefined : { ...task, dueAt: now + dueAt - openingOperation(order).statusAt, tried: 1 }
}
