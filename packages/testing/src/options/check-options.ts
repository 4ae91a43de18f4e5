import { suggestion } from './nearest-name.ts'

/** What the value of an option has to be, completing "the option must be ...". */
export interface Kind {
  readonly wanted: string
  readonly isRight: (value: unknown) => boolean
}

export const text: Kind = { wanted: 'a text', isRight: (value) => typeof value === 'string' }
export const flag: Kind = { wanted: 'true or false', isRight: (value) => typeof value === 'boolean' }
export const object: Kind = { wanted: 'an object', isRight: isRecord }

/** What is checked, by the same name, where it is read. */
export const anything: Kind = { wanted: 'anything', isRight: () => true }

export function oneOf(...known: readonly string[]): Kind {
  return {
    wanted: known.map((name) => `'${name}'`).join(' or '),
    isRight: (value) => known.some((name) => name === value),
  }
}

/**
 * A misspelled option would leave its default in force, and the test would not test what it says.
 *
 * @throws TypeError that names the option, and the one that may have been meant
 */
export function checkOptions(where: string, options: unknown, kinds: Readonly<Record<string, Kind>>): void {
  if (!isRecord(options)) throw new TypeError(`${where}: must be an object of options`)
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) {
      throw new TypeError(`${where}: there is no option ${name}; ${suggestion(name, Object.keys(kinds))}`)
    }
    if (value !== undefined && !kind.isRight(value)) throw new TypeError(`${where}: ${name} must be ${kind.wanted}`)
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
