/**
 * Reads one setting of the operator. What is wrong with it is told under the setting's name: the parts that read keys,
 * ids and addresses do not know what they are called here, and none of their messages holds a key.
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
