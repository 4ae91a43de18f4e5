import { createHmac } from 'node:crypto'
import { Masked, type OperationKey, type RequestValues } from '@tallystick/core'

/**
 * A keyed digest by which a repeat of the same request is known, however its fields are spelled and ordered. Keyed,
 * because a plain digest of a card number could be searched through. The CVV takes no part: nothing of it is kept.
 */
export function requestDigest(key: Uint8Array, address: string, request: RequestValues<OperationKey>): string {
  const { extra, ...fields } = request
  const known = Object.entries(fields).filter(([name]) => name !== 'cvv2')
  return createHmac('sha256', key)
    .update(JSON.stringify([address, sorted(known), sorted(Object.entries(extra))]))
    .digest('hex')
}

function sorted(entries: ReadonlyArray<readonly [name: string, value: unknown]>): readonly string[] {
  return entries.map(([name, value]) => JSON.stringify([name, value instanceof Masked ? value.reveal() : value])).sort()
}
