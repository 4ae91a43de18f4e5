import { createHash } from 'node:crypto'
import type { IntentEndpoint, IntentKind } from '@tallystick/client/internal'
import {
  catalogue,
  type Exponents,
  maskCardNumbers,
  type Operation,
  type OperationKey,
  type Operations,
  type RequestInput,
  toMinorUnits,
} from '@tallystick/core'
import { cardBrand, exponentOf, withoutLastZeros } from '@tallystick/core/internal'
import { endpointOf, isNamed } from './endpoint.ts'

/** Operations that move money or store a card: those that must not be sent twice. Rows of several have no single key: each is one. */
export type JournaledOperation = {
  [K in OperationKey]: Operations[K]['effect'] extends 'moves-money' | 'stores-card'
    ? 'clientOrderId' extends keyof RequestInput<K>
      ? K
      : never
    : never
}[OperationKey]

/** Whether sending it twice could do harm, and one key can name it. What only reads needs no journal. */
export function isJournaled(key: OperationKey): key is JournaledOperation {
  const { effect, request }: Operation = catalogue[key]
  return (effect === 'moves-money' || effect === 'stores-card') && 'clientOrderId' in request.fields
}

/**
 * What a caller may name: an operation of the journal, which an editor proposes. Any other text is refused by its input, since there
 * the compiler can say which operations there are.
 */
export type OperationName = JournaledOperation | (string & Record<never, never>)

/**
 * The caller's input. The journal makes the client order id of a new order; operations on an order that exists name it by both ids.
 */
export type JournalInput<K extends OperationName> = K extends JournaledOperation
  ? 'orderId' extends keyof RequestInput<K>
    ? RequestInput<K>
    : InputOfNewOrder<K>
  : NoSuchOperation<K>

/** Mapped, so that an editor and the compiler show this name, and not how it is made. */
type InputOfNewOrder<K extends JournaledOperation> = {
  [P in keyof WithoutOurId<K>]: WithoutOurId<K>[P]
}

type WithoutOurId<K extends JournaledOperation> = Omit<RequestInput<K>, 'clientOrderId'> & {
  // What the compiler says to a caller who gives it. The text itself is refused when it runs.
  readonly clientOrderId?:
    | 'The journal makes it: leave it out. Your own name for the payment is the business key.'
    | undefined
}

/** What the compiler says to a caller who names no operation of the journal. It shows 320 characters of a text. */
type NoSuchOperation<K extends string> =
  `${K} is none of: sale saleForm preauth preauthForm capture void return accountVerification accountVerificationForm paymentForm createCardRef makeRebill payout payoutForm createCardRefV4 createRecurringPayment payoutCheck payoutPay transfer transferByRef processRecurringPayment updateRecurringPayment`

/** Whether the operation makes an order, changes one, or stores a card. */
export function kindOf(key: OperationKey): IntentKind {
  const { effect, request }: Operation = catalogue[key]
  if (effect === 'stores-card') return 'card'
  return 'orderId' in request.fields ? 'modification' : 'opening'
}

/** Whether the request names an order that exists, so that no id is made for it. */
export function namesOrder(key: OperationKey): boolean {
  return 'orderId' in catalogue[key].request.fields
}

type Fields = Readonly<Record<string, unknown>>

/** The money that a request asks for. */
interface Money {
  /** In minor units: one, or several of which the gateway takes the first that is approved. */
  readonly amounts: readonly string[]
  readonly currency: string | undefined
}

/** The money of a request, without values that do not fit their field: the client refuses these, and one may be a card number. */
export function moneyOf(operation: OperationKey, input: Fields, exponents: Exponents): Money {
  const { request }: Operation = catalogue[operation]
  const fitting = (name: string) => {
    const text = textOf(input[name])
    return text !== undefined && request.fields[name]?.format.read(text) !== undefined ? text : undefined
  }
  const currency = fitting('currency')
  const offered = [fitting('amount'), ...(fitting('enumerateAmounts') ?? '').split(',')]
  const amounts = offered.map((text) => minorUnitsOf(text, currency, exponents))
  return { amounts: amounts.filter((minor) => minor !== undefined), currency }
}

/** Reads an amount as a gateway may write it, even with more zeros than the currency has decimals. */
export function minorUnitsOf(
  amount: string | undefined,
  currency: string | undefined,
  exponents: Exponents,
): string | undefined {
  if (amount === undefined) return undefined
  const exponent = exponentOf(currency, exponents)
  return toMinorUnits(
    amount
      .trim()
      .replace(new RegExp(`(\\.\\d{${exponent}})0+$`), '$1')
      .replace(/\.$/, ''),
    exponent,
  )
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined
}

/** The fields of the card, which may be another one when a payment that never left is sent again. */
const CARD_FIELDS = [
  'cardNumber',
  'cardPrintedName',
  'expireMonth',
  'expireYear',
  'cvv2',
  'destinationCardNumber',
  'sendingCardNumber',
]

/** Fields that do not change what is asked for: the login is the client's, and `extra` holds undocumented fields. */
const OWN_FIELDS = ['login', 'extra']

/** What the customer's device sends. It differs when the same customer presses again on another network or device. */
const DEVICE_FIELDS = [
  'customerIp',
  'preferredLanguage',
  'browserInfo',
  'browserAcceptHeader',
  'browserUserAgent',
  'browserJavascriptEnabled',
  'browserLanguage',
  'browserJavaEnabled',
  'browserColorDepth',
  'browserScreenWidth',
  'browserScreenHeight',
  'browserTimeZone',
]

/** Where the shop is reached. It differs when the same customer presses again on another of its sites, or after it has moved. */
const SHOP_FIELDS = [
  'siteUrl',
  'redirectUrl',
  'redirectSuccessUrl',
  'redirectFailUrl',
  'serverCallbackUrl',
  'notifyUrl',
]

/** Fields in which two calls for the same request may differ. */
const LEFT_OUT: ReadonlySet<string> = new Set([...CARD_FIELDS, ...OWN_FIELDS, ...DEVICE_FIELDS, ...SHOP_FIELDS])

/** References of cards that gateways store. */
const REFERENCES = ['cardRefId', 'cardRecurringPaymentId', 'destinationCardRefId', 'destinationCardRecurringPaymentId']

/**
 * What the journal stores of a request to send it without its caller: nothing of a card or an account, and of a person only the IP
 * address, which gateways ask for where the customer is absent too.
 */
const STORED: ReadonlySet<string> = new Set([
  ...REFERENCES,
  ...SHOP_FIELDS,
  'clientOrderId',
  'orderId',
  'recurringPaymentId',
  'amount',
  'currency',
  'enumerateAmounts',
  'depositToCard',
  'recurrentScenario',
  'orderDesc',
  'purpose',
  'comment',
  'merchantData',
  'customerIp',
])

/**
 * The fields of a request that the journal may send by itself. `undefined`: it needs its caller, because it has a card, an account
 * or more of a person; because it opens a page that its customer would have to see; or because a lost reply of it would need someone.
 */
export function unattendedInput(operation: OperationKey, input: Fields): Readonly<Record<string, string>> | undefined {
  const { kind, request }: Operation = catalogue[operation]
  if (kind === 'form' || kindOf(operation) === 'card') return undefined
  const given = Object.entries(input).filter(([, value]) => !isBlank(value))
  const isFit = ([name, value]: readonly [string, unknown]) =>
    STORED.has(name) && request.fields[name]?.format.read(value) !== undefined && !mayBeCard(name, String(value))
  return given.every(isFit) ? Object.fromEntries(given.map(([name, value]) => [name, String(value)])) : undefined
}

/** References have digits as cards have. With up to 15 of them, only one brand's numbers look alike. */
function mayBeCard(name: string, text: string): boolean {
  const isReference = REFERENCES.includes(name) && text.length <= 15 && cardBrand(text) !== 'AMEX'
  return !isReference && !ORDER_NAMES.includes(name) && maskCardNumbers(text) !== text
}

/** Every intent has these as they are. */
const ORDER_NAMES = ['clientOrderId', 'orderId']

/** An amount, or a list of them, as any process would write it: the one before a deploy may have sent 10.50 for 10.5. */
function amountsIn(text: string): string {
  return text
    .split(',')
    .map((one) => withoutLastZeros(one.trim()))
    .join(',')
}

/**
 * SHA-256 over what is sent, except the fields of a card, of the customer's device or of the shop's addresses, and over the endpoint
 * if the caller names one. Card numbers in other fields are masked first, since the number behind a digest can be found by trying.
 */
export function digestOf(operation: OperationKey, input: Fields, endpoint: IntentEndpoint = {}): string {
  const pairs = Object.entries(input)
    .filter(([name, value]) => !isBlank(value) && !LEFT_OUT.has(name))
    .filter(([name]) => name !== 'clientOrderId' || namesOrder(operation))
    .map(([name, value]) => [name, maskCardNumbers(sentText(operation, name, value))])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([operation, pairs, ...(isNamed(endpoint) ? [endpointOf(endpoint)] : [])]))
    .digest('hex')
}

/** The client does not send it: absent, `undefined`, `null` and blank are the same request. */
function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** A value as its field is sent; one that does not fit its field, and is refused, as it is. */
function sentText(operation: OperationKey, name: string, value: unknown): string {
  const { request }: Operation = catalogue[operation]
  const read = request.fields[name]?.format.read(value)
  const text = typeof read === 'string' || typeof read === 'boolean' ? String(read) : String(value).trim()
  return request.amounts.includes(name) ? amountsIn(text) : text
}
