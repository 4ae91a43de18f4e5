import { Masked, type OperationKey, type RequestValues } from '@tallystick/core'

/**
 * What makes a repeat of the same request known, however its fields are spelled and ordered: to be hashed under a key,
 * because a plain digest of a card number could be searched through. The CVV takes no part: nothing of it is kept.
 */
export function requestDigest(address: string, request: RequestValues<OperationKey>): string {
  const { extra, ...fields } = request
  const known = Object.entries(fields).filter(([name, value]) => name !== 'cvv2' && value !== undefined)
  const texts = known.map(([name, value]) => [name, value instanceof Masked ? value.reveal() : value] as const)
  return JSON.stringify([address, texts.sort(byName), Object.entries(extra).sort(byName)])
}

/** Names are unique, and compared as they are: the order is the same on every machine. */
function byName([one]: readonly [name: string, value: unknown], [other]: readonly [name: string, value: unknown]) {
  return one < other ? -1 : 1
}
