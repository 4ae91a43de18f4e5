import { catalogue, type OperationKey } from '@tallystick/core'

/** The ids that a reply may name. */
export interface NamedOrder {
  readonly clientOrderId?: string | undefined
  readonly orderId?: string | undefined
}

/** The ids that the request names. */
interface AskedOrder {
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
}

export const ANOTHER = 'names another order'

/** The format that an order id must have to ask for the order's status. */
const ORDER_ID = catalogue.status.request.fields.orderId.format

/** Whether a reply is about another of our orders: even a refusal, it was mixed up on the way. */
export function isAnother(asked: AskedOrder, named: NamedOrder): boolean {
  return differ(asked.clientOrderId, named.clientOrderId)
}

/**
 * What is wrong with the order that a reply names, if anything. A reply has no signature: only the connection and the ids in
 * it tie it to its request. A status that names no order says nothing (gaps part 9). Only a status must repeat the gateway's id
 * from the request: the gateway may have given a capture an id of its own.
 */
export function wrongOrder(
  { key, orderId: asked }: AskedOrder & { readonly key: OperationKey },
  { orderId }: NamedOrder,
): string | undefined {
  if (orderId !== undefined && ORDER_ID.read(orderId) === undefined) return 'names no order id'
  if (key !== 'status') return undefined
  return orderId === undefined ? 'names no order' : differ(asked, orderId) ? ANOTHER : undefined
}

/** A reply with our client order id and another order id was not mixed up: the gateway has another order under our id. */
export function otherUnderOurs(asked: AskedOrder, { clientOrderId, orderId }: NamedOrder): string | undefined {
  return clientOrderId === asked.clientOrderId ? orderId : undefined
}

function differ(own: string | undefined, named: string | undefined): boolean {
  return own !== undefined && named !== undefined && own !== named
}
