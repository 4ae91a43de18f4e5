/**
 * A text from outside may hold U+0000. PostgreSQL stores none, and node:sqlite of Node 22 and 24 reads a text only up to it. So
 * U+0000, and the character that marks it, are each stored as two others; everything else stays as it is.
 */
const MARK = '\uE000'
const ALL_SPECIAL = /[\0\uE000]/g
const ALL_MARKED = /\uE000[01]/g

export function storable(text: string): string {
  // True of nearly every text. Orders are long, and a regular expression would read each of their characters.
  if (!text.includes('\0') && !text.includes(MARK)) return text
  return text.replace(ALL_SPECIAL, (character) => (character === '\0' ? `${MARK}0` : `${MARK}1`))
}

export function readable(text: string): string {
  return text.includes(MARK) ? text.replace(ALL_MARKED, (marked) => (marked.endsWith('0') ? '\0' : MARK)) : text
}

/** A value, or a list of them, as it goes into a statement. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  return Array.isArray(value) ? value.map(storableValue) : value
}

/** Changes the stored texts of a row, which nobody else has, back to what they were. */
export function readableRow<Value>(row: Record<string, Value | string>): Record<string, Value | string> {
  // `for in`, since making a list of the columns would take longer than reading them.
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') row[name] = readable(value)
  }
  return row
}
