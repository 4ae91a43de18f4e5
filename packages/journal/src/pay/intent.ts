import type { IntentEndpoint } from '@tallystick/client/internal'
import type { Intent } from '@tallystick/client/ports'
import type { JournalParts } from '../context.ts'
import { type BusinessKey, keyText, rebillOrderId } from '../intents/business-key.ts'
import { endpointOf, isNamed, writtenEndpoint } from '../intents/endpoint.ts'
import {
  digestOf,
  type JournaledOperation,
  type JournalInput,
  kindOf,
  moneyOf,
  namesOrder,
  textOf,
} from '../intents/operation-facts.ts'
import { isOpening } from '../intents/states.ts'

/** What a caller asks for. */
export interface Asked<K extends JournaledOperation> {
  readonly key: BusinessKey
  readonly operation: K
  readonly input: JournalInput<K>
  /** The endpoint that the caller names, if any. */
  readonly endpoint: IntentEndpoint
}

type Parts<Transaction> = Pick<
  JournalParts<Transaction>,
  'client' | 'clock' | 'newName' | 'deadlineMs' | 'exponents' | 'store' | 'orderIdKeys'
>

/** A new attempt after these, to be written before anything is sent. With a transaction, the order is read in that. */
export async function newIntent<K extends JournaledOperation, Transaction>(
  asked: Asked<K>,
  attempts: readonly Intent[],
  parts: Parts<Transaction>,
  transaction?: Transaction,
): Promise<Intent> {
  const { client, clock, newName, deadlineMs, exponents, store } = parts
  const { key, operation } = asked
  const clientOrderId = namedOrderId(asked) ?? newOrderId(asked, attempts, parts)
  const fields: Readonly<Record<string, unknown>> = { ...asked.input }
  const kind = kindOf(operation)
  const ofOrder = namesOrder(operation) ? await store.ofOrder(clientOrderId, transaction) : []
  return {
    intentId: newName(),
    businessKey: keyText(key),
    attempt: (attempts.at(-1)?.attempt ?? 0) + 1,
    operation,
    kind,
    clientOrderId,
    orderId: namesOrder(operation) ? textOf(fields['orderId']) : undefined,
    ...endpointFor(asked, ofOrder, client),
    ...moneyOf(operation, fields, exponents),
    digest: digestOf(operation, fields, asked.endpoint),
    state: 'PREPARED',
    version: 1,
    createdAt: afterAllOf(ofOrder, clock.now()),
    deadlineMs,
    sends: 0,
    absences: 0,
    holdsKey: true,
    holdsOrder: kind === 'modification',
    evidence: [],
  }
}

/** Sorted by `createdAt`, the intents of an order are in the order they were made, even if the clocks of two machines differ. */
function afterAllOf(ofOrder: readonly Intent[], now: number): number {
  return Math.max(now, ...ofOrder.map(({ createdAt }) => createdAt + 1))
}

/** The endpoint to send to: the one that the caller names, else that of the order it is about, else the client's own. */
function endpointFor<K extends JournaledOperation, Transaction>(
  { endpoint }: Asked<K>,
  ofOrder: readonly Intent[],
  client: JournalParts<Transaction>['client'],
): IntentEndpoint {
  if (isNamed(endpoint)) return endpoint
  const opening = ofOrder.find(isOpening)
  if (opening !== undefined) return endpointOf(opening)
  return writtenEndpoint(client.endpoint)
}

/** The client order id of the order that the request is about. `undefined`: it makes one. */
function namedOrderId<K extends JournaledOperation>({ key, operation, input }: Asked<K>): string | undefined {
  if (typeof key === 'object') {
    if (kindOf(operation) === 'opening') return undefined
    throw new TypeError(`{ profile, period } is the key of what pays for that period; give ${operation} a text`)
  }
  if (operation === 'makeRebill')
    throw new TypeError('A rebill is paid under { profile, period }, so that one period cannot be charged twice')
  if (!namesOrder(operation)) return undefined
  const named = textOf((input as { readonly clientOrderId?: unknown }).clientOrderId)
  if (named !== undefined && named !== '') return named
  throw new TypeError(`${operation} needs the clientOrderId of the order that it is about`)
}

/**
 * How many ids in a row the gateway must not know before the next one is believed to be free. An attempt that the gateway has refused
 * leaves an id that it does not know before one that it may know.
 */
export const UNKNOWN_IN_A_ROW = 3

type OrderIdParts = Pick<JournalParts<never>, 'client' | 'orderIdKeys'>

/**
 * The client order ids that the n-th order of a business key may have: the first one, if it is made now. It follows from the key and
 * the number, so that a journal that has forgotten everything makes it again.
 */
export function orderIdsOf(
  { key }: Pick<Asked<JournaledOperation>, 'key'>,
  number: number,
  parts: OrderIdParts,
): string[] {
  if (typeof key === 'object') return [rebillOrderId(key, number)]
  const names = [keyText(key), String(number)]
  return parts.orderIdKeys.map((secret) => parts.client.derivedClientOrderId(names, secret))
}

/** The client order id of the next attempt. */
function newOrderId(
  asked: Pick<Asked<JournaledOperation>, 'key'>,
  attempts: readonly Intent[],
  parts: OrderIdParts,
): string {
  const [id = ''] = orderIdsOf(asked, lastNumber(asked, attempts, parts) + 1, parts)
  return id
}

/** The number of the last order of a key that may be at the gateway. An attempt that never left has given its id away. */
export function lastNumber(
  asked: Pick<Asked<JournaledOperation>, 'key'>,
  attempts: readonly Intent[],
  parts: OrderIdParts,
): number {
  const used = new Set(attempts.map(({ clientOrderId }) => clientOrderId))
  const numbers = Array.from({ length: attempts.length * UNKNOWN_IN_A_ROW }, (_, index) => index + 1)
  return numbers.findLast((number) => orderIdsOf(asked, number, parts).some((id) => used.has(id))) ?? 0
}

/** What an attempt has instead of its id once it is certain that it never leaves: the next attempt has the id. */
export function givenAway({ operation }: Intent, { client }: Pick<OrderIdParts, 'client'>): Partial<Intent> {
  return namesOrder(operation) ? {} : { clientOrderId: client.newClientOrderId() }
}
