import { catalogue, type FieldIssue, maskCardNumbers, type OperationKey, Pan } from '@tallystick/core'

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
  return Object.entries(catalogue[key].request.fields)
    .filter(([name]) => UNCHANGED.has(name) && cards.some((card) => digitsOf(values[name]).includes(card)))
    .map(([field, { wireName }]) => {
      return {
        field,
        wireName,
        problem: 'must not hold the card number',
        remedy: 'It is stored and sent back in the clear.',
      }
    })
}

/** All digits of a text, in any writing, also escaped as in an address. */
function digitsOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  const plain = value.replace(/%(?:25)*([0-7][\dA-F])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return plain.normalize('NFKC').replaceAll(/\D/g, '')
}

function cardNumbersInNames(key: OperationKey, values: Readonly<Record<string, unknown>>): FieldIssue[] {
  return Object.entries(catalogue[key].request.fields)
    .filter(([name]) => NAMES.has(name) && typeof values[name] === 'string' && mayHoldCardNumber(values[name]))
    .map(([field, { wireName }]) => {
      const problem = `must have fewer than ${FEWEST_DIGITS_OF_CARD} digits`
      return { field, wireName, problem, remedy: 'Send the name alone, without a card number.' }
    })
}

/** No name has so many digits. Those of all scripts count, whatever separates them. */
export function mayHoldCardNumber(name: string): boolean {
  return (name.match(/\p{N}/gu) ?? []).length >= FEWEST_DIGITS_OF_CARD
}
