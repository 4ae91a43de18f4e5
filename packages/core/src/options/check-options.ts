import { maskCardNumbers } from '../sensitive/mask-card-numbers.ts'
import { isRecord, type Validator } from './kind.ts'

/**
 * Checks options, because a program without types may pass anything. A message never holds a value: it may be a key.
 *
 * @param where the options are given: `createGateway`
 * @throws TypeError that names the option, and the one that may have been meant
 */
export function checkOptions(where: string, options: unknown, kinds: Readonly<Record<string, Validator>>): void {
  const given = rejectUnknownKeys(where, options, Object.keys(kinds))
  for (const [name, { wanted, isRight, isRequired }] of Object.entries(kinds)) {
    const value = given[name]
    if (value === undefined && isRequired) throw new TypeError(`${where}: ${name} must be given: ${wanted}`)
    if (value !== undefined && !isRight(value)) throw new TypeError(`${where}: ${name} must be ${wanted}`)
  }
}

/** As {@link checkOptions}, but only the names: for the options of every call, whose values are checked when they are read. */
export function rejectUnknownKeys(
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

/** With more slips, another word was meant. */
const MOST_SLIPS = 3

/**
 * The known name that somebody may have meant: the same in other capitals, or a few slips away. `undefined`: none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = Math.min(MOST_SLIPS, Math.max(1, Math.floor(name.length / 2)))
  const slips = known.map((candidate) => slipsBetween(name.toLowerCase(), candidate.toLowerCase()))
  const fewest = Math.min(...slips)
  return fewest > most ? undefined : known[slips.indexOf(fewest)]
}

/** For a message: what was probably meant, else all that there is. */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`
}

/**
 * How many letters are wrong, missing or too many.
 *
 * @see {@link https://en.wikipedia.org/wiki/Levenshtein_distance#Iterative_with_two_matrix_rows Levenshtein distance}
 */
function slipsBetween(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [row, letter] of one.split('').entries()) {
    const current = [row + 1]
    for (const [column, expected] of other.split('').entries()) {
      const wrong = (previous[column] ?? 0) + (letter === expected ? 0 : 1)
      current.push(Math.min(wrong, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
