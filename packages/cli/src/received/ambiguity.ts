import type { Pair } from '@tallystick/core'

/**
 * Why a form is refused whatever its signature, or `undefined`: it gives a field twice, and nobody knows which of the two counts.
 *
 * @param names of the fields, by their wire names. Some fields have more than one, under which they may have one value
 */
export function ambiguity(pairs: readonly Pair[], names: ReadonlyMap<string, string>): string | undefined {
  const values = new Map<string, string>()
  const spellings = new Map<string, Pair>()
  for (const [wireName, value] of pairs) {
    if (values.has(wireName)) return `${wireName} is there twice: send it once`
    values.set(wireName, value)
    const field = names.get(wireName) ?? wireName
    const [other, otherValue] = spellings.get(field) ?? [wireName, value]
    if (otherValue.trim() !== value.trim() && value.trim() !== '')
      return `${other} and ${wireName} are one field, and differ: send one of them`
    if (value.trim() !== '') spellings.set(field, [wireName, value])
  }
  return undefined
}
