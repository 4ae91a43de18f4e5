import { catalogue, maskCardNumbers, type OperationKey, Pan } from '@tallystick/core'
import type { FieldIssue } from '@tallystick/core/internal'
import type { RequestContext } from '../context.ts'
import type { Endpoint } from '../merchants/endpoint.ts'
import type { Target } from '../merchants/merchants.ts'
import { creates } from './idempotency.ts'

/**
 * Texts of a request that are stored and shown in the clear must not hold a card number. What happens depends on the field: a
 * name with one is refused, a text for people is masked, and what has to come back or be found unchanged is refused if it holds
 * the card of this request; other numbers that only look like a card's are common there.
 */

/** The fields that hold a person's name, in every operation. */
const NAMES: ReadonlySet<string> = new Set([
  'cardPrintedName',
  'firstName',
  'middleName',
  'lastName',
  'receiverFirstName',
  'receiverMiddleName',
  'receiverLastName',
])

/** Texts for people: nothing is found by them. */
const MASKED = ['email', 'orderDesc', 'comment'] as const

const UNCHANGED: ReadonlySet<string> = new Set([
  'clientOrderId',
  'phone',
  'merchantData',
  'redirectUrl',
  'redirectSuccessUrl',
  'redirectFailUrl',
  'serverCallbackUrl',
  'notifyUrl',
])

const FEWEST_DIGITS_OF_CARD = 12

/** The fields of each operation that are among these, found in the catalogue once. */
function fieldsAmong(names: ReadonlySet<string>) {
  const known = new Map<OperationKey, ReadonlyArray<Pick<FieldIssue, 'field' | 'wireName'>>>()
  return (key: OperationKey) => {
    const found =
      known.get(key) ??
      Object.entries(catalogue[key].request.fields)
        .filter(([field]) => names.has(field))
        .map(([field, { wireName }]) => ({ field, wireName }))
    known.set(key, found)
    return found
  }
}

const namesOf = fieldsAmong(NAMES)
const unchangedOf = fieldsAmong(UNCHANGED)

export function cardNumbersInTexts(key: OperationKey, values: Readonly<Record<string, unknown>>): FieldIssue[] {
  return [...cardNumbersInNames(key, values), ...ownCardInTexts(key, values)]
}

/** The request with the card numbers in its texts for people masked. */
export function withoutCardNumbers<Values extends object>(values: Values): Values {
  const texts = values as Readonly<Record<string, unknown>>
  const masked: Record<string, string> = {}
  for (const name of MASKED) {
    const text = texts[name]
    if (typeof text === 'string') masked[name] = maskCardNumbers(text)
  }
  return { ...values, ...masked }
}

function ownCardInTexts(key: OperationKey, values: Readonly<Record<string, unknown>>): FieldIssue[] {
  const cards = Object.values(values).flatMap((value) => (value instanceof Pan ? [value.reveal()] : []))
  if (cards.length === 0) return []
  return unchangedOf(key)
    .filter(({ field }) => {
      const digits = digitsOf(values[field])
      return digits !== '' && cards.some((card) => digits.includes(card))
    })
    .map((named) => {
      return { ...named, problem: 'must not hold the card number', remedy: 'It is stored and sent back in the clear.' }
    })
}

/** In another script one character may stand for several digits, such as \u246a for 11. */
const ONE_DIGIT_EACH = /^[ -~]*$/

/** All digits of a text, in any writing, also escaped as in an address. */
function digitsOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  if (value.length < FEWEST_DIGITS_OF_CARD && ONE_DIGIT_EACH.test(value)) return ''
  const plain = value.replace(/%(?:25)*([0-7][\dA-F])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return plain.normalize('NFKC').replaceAll(/\D/g, '')
}

function cardNumbersInNames(key: OperationKey, values: Readonly<Record<string, unknown>>): FieldIssue[] {
  return namesOf(key)
    .filter(({ field }) => {
      const name = values[field]
      return typeof name === 'string' && mayHoldCardNumber(name)
    })
    .map((named) => {
      const problem = `must have fewer than ${FEWEST_DIGITS_OF_CARD} digits`
      return { ...named, problem, remedy: 'Send the name alone, without a card number.' }
    })
}

/** No name has so many digits. Those of all scripts count, whatever separates them. */
export function mayHoldCardNumber(name: string): boolean {
  return (name.normalize('NFKC').match(/\p{N}/gu) ?? []).length >= FEWEST_DIGITS_OF_CARD
}

type Values = Readonly<Record<string, unknown>>

interface Addressed extends Pick<RequestContext, 'service' | 'endpoint'> {
  readonly target: Target
}

/**
 * The fields that the endpoint requires beyond the interface and that the request lacks. A request about an order is carried
 * out at the order's endpoint, whichever endpoint of the group comes first, so the requirements of that endpoint count. The
 * order is looked up only if the request lacks a field that some endpoint of the group requires.
 */
export async function missingFields(
  key: OperationKey,
  values: Values,
  { target, endpoint, service: { store, merchants } }: Addressed,
): Promise<FieldIssue[]> {
  const missing = missingAt(endpoint, key, values)
  const isOfGroup = !creates(key) && target.endpoints.length > 1
  if (!isOfGroup || target.endpoints.every((each) => missingAt(each, key, values).length === 0)) return missing
  const { login } = target.merchant
  const order = await store.findOrder({
    login,
    clientOrderId: textOf(values['clientOrderId']) ?? '',
    orderId: textOf(values['orderId']),
  })
  return missingAt((order && merchants.endpointOf(order)) ?? endpoint, key, values)
}

function missingAt({ requiredFields }: Endpoint, key: OperationKey, values: Values): FieldIssue[] {
  if (requiredFields.length === 0) return []
  return Object.entries(catalogue[key].request.fields)
    .filter(([name]) => requiredFields.includes(name) && values[name] === undefined)
    .map(([name, { wireName, meaning }]) => {
      return { field: name, wireName, problem: 'is required at this endpoint', remedy: `Supply it: ${meaning}` }
    })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
