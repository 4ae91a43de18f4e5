import type { StoredOrder } from '@tallystick/gateway/store'
import type { Action, Entry } from '../harness/bank.ts'
import type { Heard, ToldOrder } from './life.ts'
import { AMOUNT, type ExpectedCharge, expectedCharges, type PlannedSchedule } from './plan.ts'

export interface CheckInput {
  /** The schedules by the ids of their recurring payments. */
  readonly schedules: ReadonlyMap<string, PlannedSchedule>
  /** The orders in the gateway's file. */
  readonly orders: readonly StoredOrder[]
  /** The callbacks that the merchant got of each order. */
  readonly heard: ReadonlyMap<string, readonly Heard[]>
  /** What the bank has carried out. */
  readonly journal: readonly Entry[]
  /** What the interface shows of some orders. */
  readonly told: readonly ToldOrder[]
}

type Fault = 'missed' | 'doubled' | 'early' | 'unheard' | 'not as the interface has it'

/** A charge that there must be, and what the gateway, the merchant and the bank have of it. */
interface Seen {
  readonly charge: NamedCharge
  readonly orders: readonly StoredOrder[]
  readonly heard: readonly Heard[]
  readonly actions: readonly Action[]
}

export interface NamedCharge extends ExpectedCharge {
  readonly recurringPaymentId: string
  readonly clientOrderId: string
  readonly schedule: PlannedSchedule
}

/** The charges of all schedules by the calendar, with the names that the interface gives their orders (gaps part 13). */
export function namedCharges(schedules: CheckInput['schedules']): readonly NamedCharge[] {
  return [...schedules].flatMap(([recurringPaymentId, schedule]) =>
    expectedCharges(schedule).map((charge) => {
      return { ...charge, recurringPaymentId, clientOrderId: `${recurringPaymentId}-${charge.number}`, schedule }
    }),
  )
}

/** How the charges of all schedules stand. */
export function check(input: CheckInput) {
  const charges = namedCharges(input.schedules)
  const { seen, unexpected } = assigned(charges, input)
  const faults = seen.flatMap((each) => faultsOf(each).map((fault) => ({ fault, charge: each.charge })))
  const counted = (wanted: Fault) => faults.filter(({ fault }) => fault === wanted).length
  return {
    expected: charges.length,
    missed: counted('missed'),
    // An unexpected order is a charge too many.
    doubled: counted('doubled') + unexpected.length,
    early: counted('early'),
    unheard: counted('unheard'),
    // A kill cut them off before the bank had them: they end as an error, and are reported.
    interrupted: seen.filter(({ orders: [order] }) => order !== undefined && isInterrupted(order)).length,
    findings: [
      ...faults.map(({ fault, charge }) => `${charge.clientOrderId}, of ${charge.date}: ${fault}`),
      ...unexpected.map((id) => `${id}: nobody expected it`),
      ...toldOtherwise(input.told, charges, input.heard),
    ],
  }
}

/** Gives each charge the orders of its name, and what the bank did for these. Orders that are left over were not expected. */
function assigned(charges: readonly NamedCharge[], { orders, heard, journal }: CheckInput) {
  const ordersLeft = Map.groupBy(orders, ({ clientOrderId }) => clientOrderId)
  const actionsLeft = Map.groupBy(actionsOf(journal), ({ orderId }) => orderId)
  const seen = charges.map((charge): Seen => {
    const own = take(ordersLeft, charge.clientOrderId)
    const callbacks = heard.get(charge.clientOrderId) ?? []
    const orderIds = new Set([...own, ...callbacks].map(({ orderId }) => orderId))
    const actions = [...orderIds].flatMap((orderId) => take(actionsLeft, orderId))
    return { charge, orders: own, heard: callbacks, actions }
  })
  return { seen, unexpected: [...ordersLeft.keys(), ...actionsLeft.keys()] }
}

function take<Item>(left: Map<string, Item[]>, key: string): readonly Item[] {
  const taken = left.get(key) ?? []
  left.delete(key)
  return taken
}

function actionsOf(journal: readonly Entry[]): Action[] {
  return journal.filter((entry): entry is Action => 'decision' in entry)
}

function isInterrupted({ operations }: StoredOrder): boolean {
  return operations[0]?.status === 'error'
}

/** The order of the file, the callbacks and the bank's books must all say the same: one charge, in its time. */
function faultsOf(seen: Seen): readonly Fault[] {
  const { charge, orders, heard, actions } = seen
  const [order] = orders
  const faults: Fault[] = []
  if (order === undefined || (!isInterrupted(order) && actions.length === 0)) faults.push('missed')
  if (orders.length > 1 || actions.length > 1) faults.push('doubled')
  if (order !== undefined && order.createdAt < charge.instant) faults.push('early')
  if (heard.length === 0) faults.push('unheard')
  if (order !== undefined && !isAsTheInterfaceHasIt(order, seen)) faults.push('not as the interface has it')
  return faults
}

/**
 * Whether a charge has its own order, named for its period, which names its recurring payment and is called back (gaps part 13).
 */
function isAsTheInterfaceHasIt(order: StoredOrder, { charge, heard, actions }: Seen): boolean {
  const { recurringPaymentId, schedule } = charge
  const [operation, ...others] = order.operations
  const kind = schedule.cardType === 'SRC' ? 'sale' : 'payout'
  return (
    /^[1-9]\d{14}$/.test(order.orderId) &&
    order.endpointId === schedule.endpoint.id &&
    order.details.recurringPaymentId === recurringPaymentId &&
    order.terms.currency === AMOUNT.currency &&
    [operation, ...actions].every((each) => each?.kind === kind && each.amount === AMOUNT.minor) &&
    others.length === 0 &&
    (actions.length === 0) === isInterrupted(order) &&
    heard.every(({ orderId, status }) => orderId === order.orderId && status === operation?.status)
  )
}

/** Compares the statuses over the interface with the callbacks. */
function toldOtherwise(told: readonly ToldOrder[], charges: readonly NamedCharge[], heard: CheckInput['heard']) {
  const named = new Map(charges.map((charge) => [charge.clientOrderId, charge]))
  return told
    .filter(({ clientOrderId, orderId, status, recurringPaymentId }) => {
      const [callback] = heard.get(clientOrderId) ?? []
      const isSame = orderId === callback?.orderId && status === callback?.status
      return !isSame || recurringPaymentId !== named.get(clientOrderId)?.recurringPaymentId
    })
    .map(({ clientOrderId, status }) => `${clientOrderId}: status tells ${status}, and not what the callback did`)
}
