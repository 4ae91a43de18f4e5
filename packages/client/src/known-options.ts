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
