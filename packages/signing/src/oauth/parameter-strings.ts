import { type Encoded, encodeTwice } from './encode-twice.ts'
import { OAUTH_NAMES } from './oauth-header.ts'
import type { Parameter } from './parameter.ts'

type EncodedPair = { readonly name: Encoded; readonly value: Encoded }

/**
 * The parameter string without `oauth_signature`, as `normalizeParameters` writes it (`once`), and percent-encoded again
 * as it stands in a base string (`twice`), in one pass: in text that is encoded already, `%`, `=` and `&` are all that a
 * second encoding finds.
 *
 * @throws {SigningError} As `percentEncode`.
 */
export function parameterStrings(parameters: readonly Parameter[]): Encoded {
  let once = ''
  let twice = ''
  for (const { name, value } of sortedPairs(parameters)) {
    once += `${once === '' ? '' : '&'}${name.once}=${value.once}`
    twice += `${twice === '' ? '' : '%26'}${name.twice}%3D${value.twice}`
  }
  return { once, twice }
}

function sortedPairs(parameters: readonly Parameter[]): EncodedPair[] {
  const pairs: EncodedPair[] = []
  for (const [name, value] of parameters) {
    if (name !== OAUTH_NAMES.signature) pairs.push({ name: encodeTwice(name), value: encodeTwice(value) })
  }
  return pairs.sort(byNameThenValue)
}

/** Names seldom repeat, so the values are seldom looked at. */
function byNameThenValue(a: EncodedPair, b: EncodedPair): number {
  if (a.name.once !== b.name.once) return a.name.once < b.name.once ? -1 : 1
  if (a.value.once === b.value.once) return 0
  return a.value.once < b.value.once ? -1 : 1
}
