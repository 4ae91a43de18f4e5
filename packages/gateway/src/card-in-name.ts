import { catalogue, type FieldIssue, maskCardNumbers, type OperationKey } from '@tallystick/core'

/**
 * The fields that hold a person's name, in every operation that has them. Names are kept and shown in the clear, so a card number
 * that was put into one is refused. Ids, telephone numbers, addresses and texts of the merchant are taken as they are: a number
 * in them that only looks like one of a card is common.
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

export function cardNumbersInNames(key: OperationKey, values: Readonly<Record<string, unknown>>): FieldIssue[] {
  return Object.entries(catalogue[key].request.fields)
    .filter(([name]) => NAMES.has(name) && holdsCardNumber(values[name]))
    .map(([field, { wireName }]) => {
      return { field, wireName, problem: 'must not hold a card number', remedy: 'Send the name alone.' }
    })
}

function holdsCardNumber(value: unknown): boolean {
  return typeof value === 'string' && maskCardNumbers(value) !== value
}
