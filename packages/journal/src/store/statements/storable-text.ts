/**
 * A gateway's text may contain U+0000, but PostgreSQL stores none, and node:sqlite of Node 22 and 24 reads a text only up to it.
 * So U+0000, and the character that marks it, are each stored as two others; everything else stays as it is.
 */
const MARK = '\uE000'
const ALL_SPECIAL = /[\0\uE000]/g
const ALL_MARKED = /\uE000[01]/g

function storable(text: string): string {
  // The fast path for nearly every text: an order is long, and an expression would read each of its characters.
  if (!text.includes('\0') && !text.includes(MARK)) return text
  return text.replace(ALL_SPECIAL, (character) => (character === '\0' ? `${MARK}0` : `${MARK}1`))
}

export function readable(text: string): string {
  return text.includes(MARK) ? text.replace(ALL_MARKED, (marked) => (marked.endsWith('0') ? '\0' : MARK)) : text
}

/** A parameter as it goes into a statement. */
export function storableValue(value: unknown): unknown {
  return typeof value === 'string' ? storable(value) : value
}
