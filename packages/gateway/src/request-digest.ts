import { catalogue, Masked, type OperationKey, operationKeys, type RequestValues } from '@tallystick/core'

/**
 * The fields of each operation that make a request what it is, in one order on every machine. The CVV takes no part:
 * nothing of it is kept.
 */
const FIELD_NAMES: ReadonlyMap<OperationKey, readonly string[]> = new Map(
  operationKeys.map((key) => {
    const names = Object.keys(catalogue[key].request.fields)
    return [key, names.filter((name) => name !== 'cvv2').sort()]
  }),
)

/**
 * What makes a repeat of the same request known, however its fields are spelled and ordered: to be hashed under a key,
 * because a plain digest of a card number could be searched through.
 */
export function requestDigest(address: string, key: OperationKey, request: RequestValues<OperationKey>): string {
  const values = request as Readonly<Record<string, unknown>>
  const known: unknown[] = []
  for (const name of FIELD_NAMES.get(key) ?? []) {
    const value = values[name]
    if (value !== undefined) known.push(name, value instanceof Masked ? value.reveal() : value)
  }
  const unknown = Object.entries(request.extra).filter(([name]) => !isOfCvv(name))
  return JSON.stringify([address, known, unknown.sort(byName)])
}

/**
 * Whether a field that the model does not have is a CVV by its name: a merchant may send one where none is asked for, or by a name
 * of another gateway. Whoever has the key of the digests would find it by a thousand tries.
 */
function isOfCvv(name: string): boolean {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return /cvv|cvc|securitycode|verification(value|code|number)|^(card)?(cid|csc|cv2|cav2|cvn2?|cvd2?)$/.test(letters)
}

/** Names are unique, and compared as they are. */
function byName([one]: readonly [name: string, value: unknown], [other]: readonly [name: string, value: unknown]) {
  return one < other ? -1 : 1
}
