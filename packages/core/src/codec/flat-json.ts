export interface JsonLimits {
  /** Objects and arrays within each other. */
  readonly maxDepth: number
  /** Members and elements in all. */
  readonly maxMembers: number
}

/** The signs that count outside of texts. */
const MARK = /["[\]{},]/g

/**
 * How many members a JSON document has at its top (1 if it has none), by its brackets and commas alone; `undefined` beyond
 * the limits. Counted before parsing, because parsing a deep or wide document with a reviver takes more than linear time, and
 * keeps only the last of several members with one name.
 */
export function membersOf(text: string, { maxDepth, maxMembers }: JsonLimits): number | undefined {
  const mark = new RegExp(MARK)
  let depth = 0
  let members = 1
  let atTop = 1
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [character] = found
    if (character === '"') mark.lastIndex = endOfText(text, found.index)
    else if (character === ',') {
      members++
      if (depth === 1) atTop++
    } else depth += character === '{' || character === '[' ? 1 : -1
    if (depth > maxDepth || members > maxMembers) return undefined
  }
  return atTop
}

/** Behind the quote that ends the text which begins here. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at + 1
  }
  return text.length
}
