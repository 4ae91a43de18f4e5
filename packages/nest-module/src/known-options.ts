/** What the value of an option has to be, completing "the option must be ...". */
export interface Kind {
  readonly wanted: string
  readonly isRight: (value: unknown) => boolean
}

export const text: Kind = { wanted: 'a text', isRight: (value) => typeof value === 'string' }
export const flag: Kind = { wanted: 'true or false', isRight: (value) => typeof value === 'boolean' }
export const list: Kind = { wanted: 'a list', isRight: Array.isArray }
export const listener: Kind = { wanted: 'a function', isRight: isFunction }
export const object: Kind = { wanted: 'an object', isRight: isRecord }

/** Whatever is checked where it is read. */
export const anything: Kind = { wanted: 'anything', isRight: () => true }

export function listOf({ wanted, isRight }: Kind): Kind {
  return { wanted: `a list, each of it ${wanted}`, isRight: (value) => Array.isArray(value) && value.every(isRight) }
}

/**
 * A misspelled option must not be ignored, and a wrong one must not show at the first customer.
 *
 * @throws TypeError that names the option, and lists those that there are
 */
export function checkOptions(where: string, options: unknown, kinds: Readonly<Record<string, Kind>>): void {
  if (!isRecord(options)) throw new TypeError(`${where}: must be an object of options`)
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) {
      throw new TypeError(`${where}: there is no option ${name}; there are ${Object.keys(kinds).join(', ')}`)
    }
    if (value !== undefined && !kind.isRight(value)) throw new TypeError(`${where}: ${name} must be ${kind.wanted}`)
  }
}

/** @throws TypeError that names the option */
export function requireOption(where: string, options: object, name: string): void {
  if (Reflect.get(options, name) === undefined) throw new TypeError(`${where}: ${name} must be given`)
}

/** Which of these methods a value lacks. */
export function missingMethods(value: unknown, methods: readonly string[]): readonly string[] {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return methods.filter((name) => !isObject || !isFunction(Reflect.get(value, name)))
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
