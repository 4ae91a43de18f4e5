import {
  catalogue,
  Masked,
  type OperationKey,
  operationKeys,
  type RequestValues,
  withoutLastZeros,
} from '@tallystick/core'

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
 * A text by which a repeat of a request is recognised, however its fields are spelled and ordered. Hash it under a key: with a
 * plain digest, the card number could be found by trying all of them.
 */
export function requestDigest(address: string, key: OperationKey, request: RequestValues<OperationKey>): string {
  const values = request as Readonly<Record<string, unknown>>
  const { amounts } = catalogue[key].request
  const known: unknown[] = []
  for (const name of FIELD_NAMES.get(key) ?? []) {
    const value = values[name]
    if (value !== undefined) known.push(name, amounts.includes(name) ? asNumbers(value) : plain(value))
  }
  const unknown = Object.entries(request.extra).filter(([name]) => !isOfCvv(name))
  return JSON.stringify([address, known, unknown.sort(byName)])
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
