import { catalogue, type OperationKey, operationKeys } from '@tallystick/core'
import {
  describeIssue,
  type FieldIssue,
  GATEWAY_CODES,
  Masked,
  type RequestValues,
  ValidationErrorResponse,
  withoutLastZeros,
} from '@tallystick/core/internal'
import type { RequestContext } from '../context.ts'
import { type Answer, refusal, wrongFields } from '../http/reply.ts'
import { acknowledged } from '../operations/open-order.ts'
import { asStarted } from '../operations/process-recurring.ts'
import { created } from '../operations/recurring.ts'
import type { StoredOrder } from '../orders/order.ts'
import { NonceUsedError } from './nonce.ts'

type Known = Pick<RequestContext, 'service' | 'merchant'>

interface Named {
  readonly key: OperationKey
  readonly clientOrderId: string | undefined
}

/** What tells a request apart from others. */
type Fingerprint = Named & Pick<RequestContext, 'digest'>

/**
 * The first answer, for a repeat of a request that was carried out (gaps part 13), whatever has changed since: the day, the
 * settings of the endpoint, or whether the acquirer answers. A refusal would say that nothing was created (gaps part 9), and
 * the merchant would ask for the same under another id. So it is looked for instead of a refusal or a failure, unless the request
 * itself was replayed, nonce and all.
 */
export async function findReplay(
  processed: PromiseSettledResult<Answer>,
  request: Fingerprint,
  known: Known,
): Promise<Answer | undefined> {
  const isEnded =
    processed.status === 'fulfilled'
      ? processed.value.model !== ValidationErrorResponse
      : processed.reason instanceof NonceUsedError
  return isEnded ? undefined : await firstAnswer(request, known)
}

/** `undefined`: it was not carried out before, or its id is that of another. */
export async function firstAnswer(request: Fingerprint, known: Known): Promise<Answer | undefined> {
  const made = await madeUnder(request, known)
  return made?.digest === request.digest ? made.answer() : undefined
}

/**
 * Refuses a form with wrong fields. It may repeat one that was carried out when the rules were less strict, so if its id was used
 * before, the refusal does not say that nothing was created.
 */
export async function refuseWrongFields(issues: readonly FieldIssue[], request: Named, known: Known): Promise<Answer> {
  const wrong = issues.map(describeIssue).join(' ')
  return creates(request.key) && (await madeUnder(request, known)) !== undefined
    ? refusal(
        GATEWAY_CODES.clientOrderIdTaken,
        `${usedBefore(request)} before you choose a new id. Wrong fields: ${wrong}`,
      )
    : wrongFields(issues)
}

/** No status shows a recurring payment: its id is only in the first answer. */
function usedBefore({ key }: Named): string {
  return key === 'createRecurringPayment'
    ? 'clientOrderId (client-orderid) was used before. Send again what was sent first, to get its recurring-payment-id,'
    : 'clientOrderId (client_orderid) was used before. Ask for its status'
}

/** A request that acts on an existing order has its order id as well. */
export function creates(key: OperationKey): boolean {
  return !('orderId' in catalogue[key].request.fields)
}

/** A check of a card is a read to its merchant, and opens an order all the same (gaps part 13). */
export function onlyReads(key: OperationKey): boolean {
  return catalogue[key].effect === 'reads' && key !== 'panEligibilitySend'
}

interface Made {
  /** Covers the address, so that only requests for the same operation share it. */
  readonly digest: string
  readonly answer: () => Answer
}

async function madeUnder(
  { key, clientOrderId }: Named,
  { service: { store, profile, repeatsAllowed }, merchant: { login } }: Known,
): Promise<Made | undefined> {
  if (clientOrderId === undefined) return undefined
  if (key === 'createRecurringPayment') {
    const payment = await store.recurringPayment(login, clientOrderId)
    return payment && { digest: payment.digest, answer: () => created(payment) }
  }
  if (key === 'updateRecurringPayment' || onlyReads(key)) return undefined
  const order = repeatsAllowed ? undefined : await store.findOrder({ login, clientOrderId })
  const answer = (made: StoredOrder) => acknowledged(made, { profile })
  const as = key === 'processRecurringPayment' ? (made: StoredOrder) => asStarted(answer(made)) : answer
  return order && { digest: order.digest, answer: () => as(order) }
}

/**
 * The fields of each operation that tell its requests apart, in the same order on every machine. The CVV is left out: nothing
 * of it is kept.
 */
const FIELD_NAMES: ReadonlyMap<OperationKey, readonly string[]> = new Map(
  operationKeys.map((key) => {
    const names = Object.keys(catalogue[key].request.fields)
    return [key, names.filter((name) => name !== 'cvv2').sort()]
  }),
)

/**
 * A text by which a repeat of a request is recognised, however its fields are spelled and ordered, and whatever query its address
 * has. Hash it under a key: with a plain digest, the card number could be found by trying all of them.
 */
export function requestDigest(address: string, key: OperationKey, request: RequestValues<OperationKey>): string {
  const values = request as Readonly<Record<string, unknown>>
  const { amounts } = catalogue[key].request
  const known: unknown[] = []
  for (const name of FIELD_NAMES.get(key) ?? []) {
    const value = values[name]
    if (value !== undefined) known.push(name, amounts.includes(name) ? asNumbers(value) : plain(value))
  }
  const unknown = Object.entries(request.extra).filter(([name, value]) => value.trim() !== '' && !isOfCvv(name))
  return JSON.stringify([address.replace(/\?.*/s, ''), known, unknown.sort(byName)])
}

/** 10.50 is no other amount than 10.5. A list of amounts is separated by commas. */
function asNumbers(amounts: unknown): unknown {
  if (typeof amounts !== 'string') return amounts
  return amounts.split(',').map(withoutLastZeros).join(',')
}

function plain(value: unknown): unknown {
  return value instanceof Masked ? value.reveal() : value
}

/**
 * Whether a field that the model does not have is a CVV by its name: a merchant may send one although none is asked for, or under
 * the name that another gateway uses. Whoever has the key of the digests would find it with a thousand tries.
 */
function isOfCvv(name: string): boolean {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return /cvv|cvc|securitycode|verification(value|code|number)|^(card)?(cid|csc|cv2|cav2|cvn2?|cvd2?)$/.test(letters)
}

/** Names are unique, and compared as they are. */
function byName([one]: readonly [name: string, value: unknown], [other]: readonly [name: string, value: unknown]) {
  return one < other ? -1 : 1
}
