/**
 * A merchant's text may hold U+0000. PostgreSQL cannot store it, and node:sqlite of Node 22 and 24 reads a text only up to it.
 * So it is stored as the mark and a digit, as is the mark itself; everything else stays as it is.
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
