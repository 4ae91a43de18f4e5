/**
 * A text of PostgreSQL holds no U+0000, node:sqlite of Node 22 and 24 reads a text up to it alone, and a gateway's may have
 * one. In its place, and in that of the character that says so, stand two others; everything else stays as it is.
 */
const MARK = '\uE000'
const ALL_SPECIAL = /[\0\uE000]/g
const ALL_MARKED = /\uE000[01]/g

function storable(text: string): string {
  // Nearly every text: an order is long, and an expression reads each of its characters.
  if (!text.includes('\0') && !text.includes(MARK)) return text
  return text.replace(ALL_SPECIAL, (character) => (character === '\0' ? `${MARK}0` : `${MARK}1`))
}

export function readable(text: string): string {
  return text.includes(MARK) ? text.replace(ALL_MARKED, (marked) => (marked.endsWith('0') ? '\0' : MARK)) : text
}

/** What goes into a statement. */
export function storableValue(value: unknown): unknown {
  return typeof value === 'string' ? storable(value) : value
}
