/**
 * Reads one setting of the operator. Its errors begin with the setting's name, which the parts that read keys, ids and addresses
 * do not know. None of their messages holds a key.
 *
 * @throws TypeError
 */
export function readSetting<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new TypeError(`${name}: ${(cause as Error).message}`, { cause })
  }
}
