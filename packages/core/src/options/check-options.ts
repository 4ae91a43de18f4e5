import { maskCardNumbers } from '../sensitive/mask-card-numbers.ts'
import { isRecord, type Kind } from './kind.ts'
import { suggestName } from './nearest-name.ts'

/**
 * Checks options, because a program without types may pass anything. A message never holds a value: it may be a key.
 *
 * @param where the options are given: `createGateway`
 * @throws TypeError that names the option, and the one that may have been meant
 */
export function checkOptions(where: string, options: unknown, kinds: Readonly<Record<string, Kind>>): void {
  const given = requireKnown(where, options, Object.keys(kinds))
  for (const [name, { wanted, isRight, isRequired }] of Object.entries(kinds)) {
    const value = given[name]
    if (value === undefined && isRequired) throw new TypeError(`${where}: ${name} must be given: ${wanted}`)
    if (value !== undefined && !isRight(value)) throw new TypeError(`${where}: ${name} must be ${wanted}`)
  }
}

/** As {@link checkOptions}, but only the names: for the options of every call, whose values are checked when they are read. */
export function requireKnown(
  where: string,
  options: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(options) || isSomethingElse(options)) {
    throw new TypeError(`${where}: the options must be an object, { ${known.join(', ')} }`)
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    throw new TypeError(`${where}: there is no option ${maskCardNumbers(name)}; ${suggestName(name, known)}`)
  }
  return options
}

/** A promise or a signal instead of options has no name that could be wrong: all defaults would silently apply. */
function isSomethingElse(options: object): boolean {
  return Object.keys(options).length === 0 && Object.prototype.toString.call(options) !== '[object Object]'
}
