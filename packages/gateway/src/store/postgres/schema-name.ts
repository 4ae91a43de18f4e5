/** Names that need no quoting anywhere, and leave room for what pg-boss adds. */
const NAME = /^[a-z_][a-z0-9_]{0,39}$/

/** @throws TypeError when it is not such a name */
export function requireSchemaName(name: string): string {
  if (NAME.test(name)) return name
  throw new TypeError('schema: must begin with a letter, and hold small letters, digits and _ alone')
}
