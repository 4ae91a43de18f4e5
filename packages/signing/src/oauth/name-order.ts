import { type OAuthHeader, PROTOCOL_PREFIX, protocolPairs } from './oauth-header.ts'
import { compareTexts, type Parameter } from './parameters.ts'
import { percentEncode } from './percent.ts'

/** How parameters with these names are written. It holds no value of a request, because it lives as long as its key. */
type NameOrder = {
  /** As the caller orders them. */
  readonly names: readonly string[]
  /** In the order of the parameter string, before and after the parameters of the protocol. */
  readonly before: readonly Place[]
  readonly after: readonly Place[]
}

type Place = {
  /** The index of the caller's parameter. */
  readonly at: number
  /** Encoded, between an ampersand and its equals sign. */
  readonly name: string
}

/** The most recent orders. A key holds them, because its requests have few shapes. */
export type NameOrders = { readonly made: NameOrder[]; next: number }

const MAX_ORDERS = 16

/** No orders yet. */
export function noOrders(): NameOrders {
  return { made: [], next: 0 }
}

/**
 * As `normalizeParameters` of the caller's parameters and those of the header, its reference in the tests. `undefined` if a name
 * repeats: then the order depends on the values.
 *
 * Sorting and encoding the names is half of the work of a signature, and the same for every request with the same names.
 *
 * @param check called with names that are not known yet
 * @throws {SigningError} As {@link percentEncode}.
 */
export function writeParameters(
  orders: NameOrders,
  own: readonly Parameter[],
  header: Omit<OAuthHeader, 'signature'>,
  check: (own: readonly Parameter[]) => void,
): string | undefined {
  let order = orders.made.find(({ names }) => isFor(names, own))
  if (order === undefined) {
    check(own)
    order = newOrder(own.map(([name]) => name))
    if (order === undefined) return undefined
    orders.made[orders.next] = order
    orders.next = (orders.next + 1) % MAX_ORDERS
  }
  let text = ''
  for (const { at, name } of order.before) text += name + percentEncode((own[at] as Parameter)[1])
  text += `&${protocolPairs(header)}`
  for (const { at, name } of order.after) text += name + percentEncode((own[at] as Parameter)[1])
  return text.slice(1)
}

function isFor(names: readonly string[], own: readonly Parameter[]): boolean {
  if (names.length !== own.length) return false
  for (let at = 0; at < names.length; at++) if (names[at] !== own[at]?.[0]) return false
  return true
}

function newOrder(names: readonly string[]): NameOrder | undefined {
  if (new Set(names).size < names.length) return undefined
  const sorted = names
    .map((name, at) => ({ name: percentEncode(name), at }))
    .sort((a, b) => compareTexts(a.name, b.name))
  const places = sorted.map(({ name, at }) => ({ name: `&${name}=`, at }))
  // Protocol names share a prefix that none of the caller's has, so they stand together.
  const count = sorted.filter(({ name }) => name < PROTOCOL_PREFIX).length
  return { names, before: places.slice(0, count), after: places.slice(count) }
}
