type Methods = readonly [string, ...string[]]

/**
 * A misspelled option must not be ignored: the default would stay in force.
 *
 * @throws TypeError when the value is no object, or has a name that is none of the known
 */
export function requireKnown(where: string, options: unknown, known: readonly string[]): void {
  if (!isObject(options)) throw new TypeError(`${where} takes an object with ${known.join(', ')}`)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${where} has no option ${unknown}; it has ${known.join(', ')}`)
}

/** @throws TypeError that names the option, when it is given and is no function */
export function requireFunctions(options: object, ...names: readonly string[]): void {
  for (const name of names) {
    const value: unknown = Reflect.get(options, name)
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`${name} must be a function`)
  }
}

/** @throws TypeError that names the option and says where such a thing comes from, when it lacks one of the methods */
export function requireMethods(name: string, value: unknown, methods: Methods, whatItIs: string): void {
  const lacking = methods.find((method) => !isObject(value) || typeof Reflect.get(value, method) !== 'function')
  if (lacking !== undefined) throw new TypeError(`${name} must be ${whatItIs}: it has no ${lacking}()`)
}

/** @throws TypeError that names the option */
export function requireText(name: string, value: unknown, such: string): void {
  if (typeof value !== 'string' || value.trim() === '') throw new TypeError(`${name} must be a text, such as ${such}`)
}

/** @throws TypeError that names the option */
export function positive(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new TypeError(`${name} must be a whole number above zero`)
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
