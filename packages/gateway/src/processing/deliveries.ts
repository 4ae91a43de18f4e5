import { isFinalStatus } from '@tallystick/core'
import type { CallbackTrial } from '@tallystick/core/internal'
import type { SendCallback } from '../callbacks/callback-answer.ts'
import { noAnswer } from '../callbacks/deliverer.ts'
import { callbackUrl } from '../callbacks/payload.ts'
import { resend } from '../callbacks/retry.ts'
import { trialUrls } from '../callbacks/trial.ts'
import type { Service } from '../context.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import { operationOf, orderIdOf } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Delivery } from '../store/delivery.ts'
import { type Operator, operatorRecord } from '../store/operator-record.ts'

/** What an operation has come to, and when. */
interface Outcome {
  readonly order: StoredOrder
  readonly operation: StoredOperation
  readonly at: number
}

/**
 * Whether an operation has come to what a callback reports: a final outcome, or that it is unknown for now (gaps part 6 and 14).
 * The callback of the outcome replaces that one. A payout in two steps has its outcome at the second step, or when the merchant
 * did not pay in time.
 */
export function isReported({ kind, status, outcome }: StoredOperation): boolean {
  const isFirstStep =
    kind === 'payout-check' && (status === 'unknown' || (status === 'approved' && outcome.isExpired !== true))
  return (isFinalStatus(status) || status === 'unknown') && !isFirstStep
}

/** The callback that reports the outcome of an operation. None, if no address is configured for it. */
export function deliveriesFor(
  { order, operation, at }: Outcome,
  service: Pick<Service, 'merchants' | 'profile'>,
): readonly Delivery[] {
  const { profile, merchants } = service
  const merchant = merchants.byLogin(order.login)
  const endpoint = merchants.endpointOf(order)
  const address = addressFor(order, operation, endpoint)
  if (address === undefined || merchant === undefined) return []
  const { controlKey } = merchant
  const url = callbackUrl({ address, order, operation, controlKey, profile, endpoint, at })
  return [{ id: operation.id, orderId: order.orderId, url, createdAt: at, dueAt: at, made: 0, state: 'open' }]
}

/**
 * `server_callback_url` gets the outcome of the original transaction. `notify_url`, of the request or else of the endpoint,
 * gets those of later operations, and that of the original if there is no `server_callback_url`.
 */
function addressFor(
  order: StoredOrder,
  operation: StoredOperation,
  endpoint: Endpoint | undefined,
): string | undefined {
  const { serverCallbackUrl, notifyUrl } = order.details.addresses
  const later = notifyUrl ?? endpoint?.notifyUrl
  const isOriginal = operation === order.operations[0] || operation.kind === 'payout-pay'
  return isOriginal ? (serverCallbackUrl ?? later) : later
}

/**
 * A delivery, signed and addressed anew: since it was written the merchant may have got another control key, or the endpoint
 * another `notifyUrl`. `undefined`: no address is configured for it any more. If the merchant or the endpoint is not configured
 * any more, or not yet in this process, the delivery stays as it was.
 */
function deliveryNow(delivery: Delivery, order: StoredOrder, service: Service): Delivery | undefined {
  const operation = operationOf(order, delivery.id)
  const [anew] = deliveriesFor({ order, operation, at: delivery.createdAt }, service)
  if (anew !== undefined) return { ...delivery, url: anew.url }
  return service.merchants.endpointOf(order) === undefined ? delivery : undefined
}

/** `deliveryNow` before each attempt, even the first: a host that was down, or a restart, may have held it up for long. */
export async function beforeAttempt(delivery: Delivery, service: Service) {
  const order = await service.store.orderById(delivery.orderId)
  if (order === undefined) return { delivery, serialNumber: undefined }
  const { serialNumber } = operationOf(order, delivery.id)
  return { delivery: deliveryNow(delivery, order, service), serialNumber, login: order.login }
}

/**
 * Makes all callbacks of an order due now, or the one of an operation, signed and addressed anew. Adds those that were never written
 * because the merchant or the endpoint was not configured when the outcome came. Returns how many are due.
 *
 * @param id of the order or, for one callback, of its operation
 */
export async function resendCallbacks(id: string, by: Operator, service: Service): Promise<number> {
  const { store, clock, commit } = service
  const orderId = orderIdOf(id)
  const order = await store.orderById(orderId)
  if (order === undefined) return 0
  const written = await store.deliveriesOf(orderId)
  const wanted = written.flatMap((delivery) => deliveryNow(delivery, order, service) ?? [])
  const missing = order.operations
    .filter((operation) => isReported(operation) && !written.some((delivery) => delivery.id === operation.id))
    .flatMap((operation) => deliveriesFor({ order, operation, at: operation.statusAt }, service))
  const all = [...wanted, ...missing].filter((delivery) => id === orderId || id === delivery.id)
  const at = clock.now()
  const before = all.map((each) => `${each.id} ${each.state} after ${each.made}`).join(', ')
  const deed = { at, act: 'resend', subject: id, orderId, before, after: `${all.length} due` } as const
  await commit({
    deliveries: all.map((delivery) => resend(delivery, at)),
    records: [operatorRecord(deed, by)],
  })
  return all.length
}

/** How a shop is called for a trial, and what hears of each answer. */
export interface TrialCalls {
  /** Only to addresses that callbacks may go to. */
  readonly send: SendCallback
  readonly onAnswer: (delivery: Delivery, trial: CallbackTrial) => void
}

/**
 * Calls the shop with a changed callback, to see what it makes of that. The callback itself stays as it is: this is no attempt.
 *
 * @returns the answers. `undefined`: there is no such callback, or no address is configured for it any more
 */
export async function tryCallback(
  callbackId: string,
  trial: CallbackTrial,
  { send, onAnswer }: TrialCalls,
  service: Service,
): Promise<readonly string[] | undefined> {
  const orderId = orderIdOf(callbackId)
  const order = await service.store.orderById(orderId)
  const written = (await service.store.deliveriesOf(orderId)).find(({ id }) => id === callbackId)
  const delivery = order && written && deliveryNow(written, order, service)
  if (delivery === undefined) return undefined
  const call = async (url: string) => {
    const lastAnswer = await send(url).then(
      ({ status }) => String(status),
      (error: unknown) => noAnswer(error).reason,
    )
    onAnswer({ ...delivery, url, lastAnswer }, trial)
    return lastAnswer
  }
  return await Promise.all(trialUrls(delivery.url, trial).map(call))
}
