import type { IntentEndpoint } from '@tallystick/client/internal'
import type { JournalStore } from '@tallystick/client/ports'
import { catalogue, operationKeys } from '@tallystick/core'
import {
  checkOptions,
  fieldsOf,
  nearestName,
  ROW_OPERATIONS,
  type Validator,
  type Validators,
  validator,
} from '@tallystick/core/internal'
import { type BusinessKey, keyText } from '../intents/business-key.ts'
import { type PaymentEndpoint, writtenEndpoint } from '../intents/endpoint.ts'
import { isJournaled, type JournaledOperation, type JournalInput, namesOrder } from '../intents/operation-facts.ts'
import { chargedNothing, isUnsent } from '../intents/states.ts'
import type { Asked } from './intent.ts'
import type { PayOptions } from './pay.ts'
import { isUsedUp } from './send.ts'

/** What a caller passes, unchecked. */
interface Given {
  readonly key: BusinessKey
  readonly operation: string
  readonly input: unknown
  readonly endpoint: PaymentEndpoint
}

/**
 * What a caller asks for, checked before anything is written.
 *
 * @throws TypeError that names what is wrong
 */
export function readAsked({ key, operation, input, endpoint }: Given): Asked<JournaledOperation> {
  keyText(key)
  requireOperation(operation)
  requireInput(operation, input)
  // A copy: what the caller changes in the input afterwards must not count.
  const fields = { ...fieldsOf(catalogue[operation], input) } as JournalInput<JournaledOperation>
  return { key, operation, input: fields, endpoint: readEndpoint(endpoint) }
}

/** @throws TypeError when both are named, or an id is no int64 */
function readEndpoint({ endpointId, endpointGroupId }: PaymentEndpoint): IntentEndpoint {
  if (endpointId !== undefined && endpointGroupId !== undefined) {
    throw new TypeError('endpointId and endpointGroupId exclude each other: give one of them')
  }
  if (endpointGroupId !== undefined) return writtenEndpoint({ endpointGroupId })
  return endpointId === undefined ? {} : writtenEndpoint({ endpointId })
}

/** The ids are checked where they are read. */
const ENDPOINT: Validators<PaymentEndpoint> = { endpointId: validator.anything, endpointGroupId: validator.anything }
const NEXT = validator.oneOf('next')
const ATTEMPT: Validator = {
  wanted: `${validator.count.wanted} or ${NEXT.wanted}`,
  isRight: (value) => validator.count.isRight(value) || NEXT.isRight(value),
}
const PAY: Validators<PayOptions> = { attempt: ATTEMPT, ...ENDPOINT }

/** @throws TypeError for a name that is no option, and for an attempt that is neither a number nor 'next' */
export function requirePayOptions(options: PayOptions): void {
  checkOptions('journal.pay', options, PAY)
}

/** @throws TypeError for a name that is no option */
export function requirePrepareOptions(options: PaymentEndpoint): void {
  checkOptions('journal.prepare', options, ENDPOINT)
}

/** What other gateways call some of the operations. */
const OTHER_NAMES: ReadonlyMap<string, JournaledOperation> = new Map([
  ['charge', 'sale'],
  ['purchase', 'sale'],
  ['authorize', 'preauth'],
  ['refund', 'return'],
  ['cancel', 'void'],
  ['rebill', 'makeRebill'],
  ['subscription', 'createRecurringPayment'],
  ['createsubscription', 'createRecurringPayment'],
  ['recurringpayment', 'createRecurringPayment'],
  ['subscriptioncharge', 'processRecurringPayment'],
  ['chargesubscription', 'processRecurringPayment'],
])

function requireOperation(operation: unknown): asserts operation is JournaledOperation {
  const known = operationKeys.find((key) => key === operation)
  if (known !== undefined && isJournaled(known)) return
  if (typeof operation !== 'string') {
    throw new TypeError(
      "The operation must be a text, such as 'sale': the journal takes the business key first, then the operation, then its input",
    )
  }
  const journaled = operationKeys.filter(isJournaled)
  if (known === undefined) throw new TypeError(`There is no operation ${operation}; ${hintFor(operation, journaled)}`)
  const row = Object.entries(ROW_OPERATIONS).find(([rows]) => rows === known)?.[1]
  throw new TypeError(
    row === undefined
      ? `${known} neither moves money nor stores a card: call it on the client. The journal sends ${journaled.join(', ')}`
      : `${known} has several payments in one request, which one key cannot name: pay each with ${row}, under a key of its own`,
  )
}

/** The operation that was meant, or all there are. */
function hintFor(operation: string, journaled: readonly JournaledOperation[]): string {
  const letters = operation.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()
  const meant = OTHER_NAMES.get(letters) ?? journaled.find((key) => key.toLowerCase() === letters)
  if (meant !== undefined) return `it is called ${meant} here`
  const nearest = nearestName(operation, journaled)
  const all = `the journal sends ${journaled.join(', ')}`
  return nearest === undefined ? all : `did you mean ${nearest}? ${all[0]?.toUpperCase()}${all.slice(1)}`
}

function requireInput(operation: JournaledOperation, given: unknown): void {
  if (!validator.object.isRight(given)) throw new TypeError(`The input of ${operation} must be an object`)
  const { clientOrderId } = Object(given) as { readonly clientOrderId?: unknown }
  if (namesOrder(operation) || clientOrderId === undefined || clientOrderId === null || clientOrderId === '') return
  throw new TypeError(
    `clientOrderId must not be in the input of ${operation}: the journal makes it, a new one for each attempt, and gives ` +
      'it in intent.clientOrderId of the result. Your own name for the payment is the business key',
  )
}

/**
 * The number of the attempt that a call means. It is read once, before the call waits for others: if it were read again when one
 * of them has opened the next attempt and that was refused at once, two presses of a button would open two.
 */
export async function attemptMeant(
  key: BusinessKey,
  attempt: PayOptions['attempt'],
  store: Pick<JournalStore, 'attemptsOf'>,
): Promise<number | undefined> {
  if (attempt !== 'next') return attempt
  const last = (await store.attemptsOf(keyText(key))).at(-1)
  if (last === undefined) return 1
  const isOver = chargedNothing(last) || (isUnsent(last) && isUsedUp(last))
  return isOver ? last.attempt + 1 : last.attempt
}
