import type { Intent } from '@tallystick/client'
import { keyText, rebillOrderId } from '../intents/business-key.ts'
import { type JournaledOperation, namesOrder } from '../intents/operation-facts.ts'
import type { JournalParts } from '../options.ts'
import type { Asked } from './intent.ts'

/**
 * How many ids in a row the gateway must not know before the next one is believed to be free. An attempt that the gateway has refused
 * leaves an id that it does not know before one that it may know.
 */
export const UNKNOWN_IN_A_ROW = 3

type Parts = Pick<JournalParts<never>, 'client' | 'orderIdKeys'>

/**
 * The client order ids that the n-th order of a business key may have: the first one, if it is made now. It follows from the key and
 * the number, so that a journal that has forgotten everything makes it again.
 */
export function orderIdsOf({ key }: Pick<Asked<JournaledOperation>, 'key'>, number: number, parts: Parts): string[] {
  if (typeof key === 'object') return [rebillOrderId(key, number)]
  const names = [keyText(key), String(number)]
  return parts.orderIdKeys.map((secret) => parts.client.derivedClientOrderId(names, secret))
}

/** The client order id of the next attempt. */
export function newOrderId(
  asked: Pick<Asked<JournaledOperation>, 'key'>,
  attempts: readonly Intent[],
  parts: Parts,
): string {
  const [id = ''] = orderIdsOf(asked, lastNumber(asked, attempts, parts) + 1, parts)
  return id
}

/** The number of the last order of a key that may be at the gateway. An attempt that never left has given its id away. */
export function lastNumber(
  asked: Pick<Asked<JournaledOperation>, 'key'>,
  attempts: readonly Intent[],
  parts: Parts,
): number {
  const used = new Set(attempts.map(({ clientOrderId }) => clientOrderId))
  const numbers = Array.from({ length: attempts.length * UNKNOWN_IN_A_ROW }, (_, index) => index + 1)
  return numbers.findLast((number) => orderIdsOf(asked, number, parts).some((id) => used.has(id))) ?? 0
}

/** What an attempt has instead of its id once it is certain that it never leaves: the next attempt has the id. */
export function givenAway({ operation }: Intent, { client }: Pick<Parts, 'client'>): Partial<Intent> {
  return namesOrder(operation) ? {} : { clientOrderId: client.newClientOrderId() }
}
