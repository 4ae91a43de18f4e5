/**
 * A misspelled option must not be ignored: a `timeout` that is no `timeoutMs` would leave the default in force.
 *
 * @throws TypeError when the value is no object, or has a name that is none of the known
 */
export function requireKnown(where: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${where} takes an object of options`)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${where} has no option ${unknown}; it has ${known.join(', ')}`)
}

/** @throws TypeError that names the option */
export function requireFunction(option: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${option} must be a function`)
}

/** @throws TypeError that names the option */
export function requireMethod(option: string, value: unknown, method: string): void {
  const there = typeof value === 'object' && value !== null ? Reflect.get(value, method) : undefined
  if (typeof there !== 'function') throw new TypeError(`${option} must be an object with ${method}()`)
}
