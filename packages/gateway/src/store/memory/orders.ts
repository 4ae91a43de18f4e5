import { OPERATION_KINDS, OPERATION_STATUSES } from '@tallystick/core'
import { overdrawn } from '@tallystick/core/internal'
import { lastOperation } from '../../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../../orders/order.ts'
import { matchesNames, requireAppended } from '../check-change.ts'
import { byPlace, isWithin, type OrderPage, type OrderQuery, placeOf } from '../listing.ts'
import type { Conflict, OrderChange, OrderNames } from '../store.ts'

interface Entry {
  order: StoredOrder
  changedAt: number
  /** How many orders there were before it. */
  readonly number: number
}

/** Orders in maps, one for each key that they are looked up by. */
export class MemoryOrders {
  readonly #byId = new Map<string, Entry>()
  /** By login and client order id, oldest first. Nested: both are free texts, which a joined key could confuse. */
  readonly #byName = new Map<string, Map<string, Entry[]>>()
  readonly #byPageToken = new Map<string, string>()
  /** By login. */
  readonly #controls = new Map<string, Set<string>>()
  readonly #sent = new Set<string>()

  get(orderId: string): StoredOrder | undefined {
    return this.#byId.get(orderId)?.order
  }

  find(names: OrderNames): StoredOrder | undefined {
    if (names.orderId === undefined)
      return this.#named(names)?.findLast(({ order }) => matchesNames(order, names))?.order
    const order = this.get(names.orderId)
    return order !== undefined && matchesNames(order, names) ? order : undefined
  }

  byPageToken(token: string): StoredOrder | undefined {
    return this.get(this.#byPageToken.get(token) ?? '')
  }

  /** Ids of orders with an operation that was sent before `before` and has no outcome, those that wait longest first. */
  sent(before: number, limit: number): readonly string[] {
    return [...this.#sent]
      .map((orderId) => ({
        orderId,
        since: sentSince(this.get(orderId)),
        number: this.#byId.get(orderId)?.number ?? 0,
      }))
      .filter(({ since }) => since < before)
      .sort((one, other) => one.since - other.since || one.number - other.number)
      .slice(0, limit)
      .map(({ orderId }) => orderId)
  }

  recent(login: string, limit: number): readonly StoredOrder[] {
    return [...(this.#byName.get(login)?.values() ?? [])]
      .flat()
      .sort((one, other) => other.changedAt - one.changedAt || other.number - one.number)
      .slice(0, limit)
      .map(({ order }) => order)
  }

  list({ login, endpointId, clientOrderId, last, limit, ...span }: OrderQuery): OrderPage {
    const isWanted = (operation: StoredOperation) =>
      last?.some(({ status, kind = operation.kind }) => status === operation.status && kind === operation.kind) ?? true
    const orders = [...this.#byId.values()]
      .map(({ order }) => order)
      .filter((order) => isWithin(placeOf(order), span) && (login ?? order.login) === order.login)
      .filter((order) => (endpointId ?? order.endpointId) === order.endpointId && isWanted(lastOperation(order)))
      .filter((order) => (clientOrderId ?? order.clientOrderId) === order.clientOrderId)
      .sort((one, other) => byPlace(placeOf(one), placeOf(other)))
    const page = orders.slice(0, limit)
    const end = page.at(-1)
    return { orders: page, next: end !== undefined && page.length === limit ? placeOf(end) : undefined }
  }

  conflict({ order, basedOn, repeatsAllowed = false }: OrderChange): Conflict | undefined {
    const existing = this.get(order.orderId)
    if (basedOn !== 'nothing') return existing?.version === basedOn ? undefined : 'order'
    if (existing !== undefined) return 'order'
    if (!repeatsAllowed && this.#named(order) !== undefined) return 'client-order-id'
    return this.#controls.get(order.login)?.has(order.signedAs ?? '') === true ? 'control' : undefined
  }

  /** @throws TypeError for an order that cannot exist */
  require({ order }: OrderChange): void {
    requirePossible(order)
    const { pages } = order.details
    if (pages !== undefined && (this.#byPageToken.get(pages.token) ?? order.orderId) !== order.orderId) {
      throw new TypeError('Another order has this page token')
    }
    requireAppended(this.get(order.orderId)?.operations ?? [], order.operations)
  }

  write({ order }: OrderChange, now: number): void {
    const existing = this.#byId.get(order.orderId)
    if (existing === undefined) this.#add(order, now)
    else this.#replace(existing, order, now)
    if (order.details.pages !== undefined) this.#byPageToken.set(order.details.pages.token, order.orderId)
    if (order.operations.some(isSent)) this.#sent.add(order.orderId)
    else this.#sent.delete(order.orderId)
  }

  #add(order: StoredOrder, now: number): void {
    const entry = { order, changedAt: now, number: this.#byId.size }
    this.#byId.set(order.orderId, entry)
    const ofLogin = this.#byName.get(order.login) ?? new Map<string, Entry[]>()
    this.#byName.set(order.login, ofLogin)
    if (order.signedAs !== undefined) this.#addControl(order.login, order.signedAs)
    const named = ofLogin.get(order.clientOrderId)
    if (named === undefined) ofLogin.set(order.clientOrderId, [entry])
    else named.push(entry)
  }

  #addControl(login: string, control: string): void {
    const controls = this.#controls.get(login)
    if (controls === undefined) this.#controls.set(login, new Set([control]))
    else controls.add(control)
  }

  #replace(entry: Entry, order: StoredOrder, now: number): void {
    const token = entry.order.details.pages?.token
    if (token !== undefined) this.#byPageToken.delete(token)
    entry.order = order
    entry.changedAt = now
  }

  #named({ login, clientOrderId }: Pick<OrderNames, 'login' | 'clientOrderId'>): Entry[] | undefined {
    return this.#byName.get(login)?.get(clientOrderId)
  }
}

function isSent({ status }: { readonly status: string }): boolean {
  return status === 'sent'
}

function sentSince(order: StoredOrder | undefined): number {
  return Math.min(...(order?.operations.filter(isSent).map(({ statusAt }) => statusAt) ?? []))
}

/**
 * Refuses an order that the rules do not allow, as the constraints of a database do, and by their names
 * (`sqlConstraints`).
 *
 * @throws TypeError
 */
function requirePossible({ operations }: StoredOrder): void {
  for (const operation of operations) requireKnown(operation)
  const broken = overdrawn(operations)
  if (broken !== undefined) throw new TypeError(`The order breaks ${broken}`)
}

function requireKnown({ kind, status, amount }: StoredOperation): void {
  if (amount < 0n) throw new TypeError('The order breaks amount_not_negative')
  if (!Object.hasOwn(OPERATION_KINDS, kind)) throw new TypeError('The order breaks kind_known')
  if (!OPERATION_STATUSES.includes(status)) throw new TypeError('The order breaks status_known')
}
