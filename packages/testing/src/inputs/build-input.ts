import { randomUUID } from 'node:crypto'
import { catalogue, type OperationKey, type RequestInput } from '@tallystick/core'
import type { ModelField } from '@tallystick/core/internal'
import { exampleRequest } from '@tallystick/gateway/internal'
import { requireExtra, requireFields, requireOperation } from '../options/check-fields.ts'

type Texts = Readonly<Record<string, unknown>>

/**
 * A valid request of an operation, under a new client order id, with a card whose payments are approved and amounts in major
 * units. Name only what your test is about: a card reference replaces the card, an account replaces the card that is paid, and a
 * field that is `undefined` is left out. Ids of an order, a card or a recurring payment are made up until you give those of one.
 *
 * @throws TypeError if there is no such operation or field, or a value is of a wrong kind, such as a number for a text; also
 *   if the changes are `undefined`, because then their name is misspelt. Whether a text is valid, the client that sends it
 *   checks
 */
export function buildInput<K extends OperationKey>(key: K, changes?: Partial<RequestInput<K>>): RequestInput<K>
export function buildInput<K extends OperationKey>(
  key: K,
  ...given: [changes?: Partial<RequestInput<K>>]
): RequestInput<K> {
  requireOperation('buildInput', key)
  // An argument that is `undefined` counts as given: nobody writes that on purpose.
  const changes = given.length === 0 ? {} : given[0]
  requireChanges(key, changes)
  const defaults: Texts = Object(exampleRequest(key, newClientOrderId()))
  const named: Texts = { ...changes }
  const isReplaced = replacedBy(key, named)
  const kept = Object.entries(defaults).filter(([name]) => !isReplaced(name))
  const input = Object.entries({ ...Object.fromEntries(kept), ...named })
  const request: unknown = Object.fromEntries(input.filter(([, value]) => value !== undefined))
  return request as RequestInput<K>
}

/** A sale that is valid and approved, as `buildInput('sale', changes)` makes it. */
export function saleInput(...changes: [changes?: Partial<RequestInput<'sale'>>]): RequestInput<'sale'> {
  return buildInput('sale', ...changes)
}

function requireChanges(key: OperationKey, changes: unknown): void {
  const where = `buildInput('${key}')`
  const fields: Readonly<Record<string, ModelField>> = catalogue[key].request.fields
  const named = requireFields(where, changes, [...Object.keys(fields), 'extra'])
  requireExtra(where, named['extra'])
  for (const [name, field] of Object.entries(fields)) requireKind(`${where}: ${name}`, named[name], field)
}

/** Texts may be wrong on purpose, and the client reports them. A value of a kind that the field never has is a slip. */
function requireKind(where: string, value: unknown, { format }: ModelField): void {
  if (value === undefined || typeof value === 'string') return
  const takes = (one: unknown) => format.read(one) !== undefined
  if (typeof value === 'number' ? SOME_NUMBERS.some(takes) : takes(value)) return
  throw new TypeError(`${where} must be ${format.bound}; not ${value === null ? 'null' : `a ${typeof value}`}`)
}

/** A field that accepts numbers accepts one of these: a day of the month, a month, a year. */
const SOME_NUMBERS = [1, 2030]

/** Whether a field of the defaults belongs to a way that another way in the changes replaces. */
function replacedBy(key: OperationKey, changes: Texts): (name: string) => boolean {
  const replaced = (choices[key] ?? []).flatMap((ways: ReadonlyArray<readonly string[]>) => {
    const chosen = ways.find((way) => way.some((name) => changes[name] !== undefined))
    return chosen === undefined ? [] : ways.flatMap((way) => (way === chosen ? [] : way))
  })
  return (name) => replaced.includes(name)
}

/** Fields that belong together, such as those of a card. */
type Way<K extends OperationKey> = ReadonlyArray<keyof RequestInput<K>>

/** Ways of which a request has one, such as a card or its reference. */
type Choice<K extends OperationKey> = readonly Way<K>[]

const CARD = ['cardNumber', 'cardPrintedName', 'expireMonth', 'expireYear', 'cvv2'] as const

const cardSource = [CARD, ['cardRefId'], ['cardRecurringPaymentId']] as const

const destination = [
  ['cardNumber', 'cardPrintedName', 'expireMonth', 'expireYear'],
  ['destinationCardRefId'],
  ['accountNumber'],
  ['destinationWallet'],
] as const

/**
 * Ways that exclude each other in a request (the rules of the request models in core). If a test names another way than that of
 * the defaults, it replaces that one.
 */
const choices: { readonly [K in OperationKey]?: readonly Choice<K>[] } = {
  sale: [cardSource],
  preauth: [cardSource],
  accountVerification: [cardSource],
  payout: [destination],
  payoutCheck: [destination],
  createRecurringPayment: [[['amount'], ['amountFrom', 'amountTo'], ['amountSequence']]],
  updateRecurringPayment: [[['amount'], ['amountFrom', 'amountTo'], ['amountSequence']]],
  getRecurringPayment: [[['recurringPaymentId'], ['clientOrderId']]],
  panEligibilitySend: [[['sendingCardRefId'], ['sendingCardNumber']]],
  transfer: [
    [CARD, ['cardRecurringPaymentId'], ['depositToCard']],
    [['destinationCardNumber'], ['destinationCardRefId'], ['destinationCardRecurringPaymentId']],
  ],
  transferByRef: [[['destinationCardRefId'], ['destinationCardNumber']]],
}

/** An id that begins and ends with a letter, so that its borders in a control string cannot shift. */
function newClientOrderId(): string {
  return `t${randomUUID().replaceAll('-', '').slice(0, 24)}z`
}
