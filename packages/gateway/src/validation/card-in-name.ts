import { catalogue, type FieldIssue, type OperationKey } from '@tallystick/core'

/**
 * The fields that hold a person's name, in every operation. Names are stored and shown in the clear, so a card number in one is
 * refused. Ids, telephone numbers, addresses and the merchant's texts are accepted as they are: numbers that only look like
 * card numbers are common in them.
 */
const NAMES: ReadonlySet<string> = new Set([
  'cardPrintedName',
  'firstName',
  'middleName',
  'lastName',
  'receiverFirstName',
  'receiverMiddleName',
  'receiverLastName',
])

const FEWEST_DIGITS_OF_CARD = 12

export function cardNumbersInNames(key: OperationKey, values: Readonly<Record<string, unknown>>): FieldIssue[] {
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
