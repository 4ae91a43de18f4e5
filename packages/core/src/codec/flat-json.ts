export interface JsonLimits {
  /** Objects and arrays within each other. */
  readonly maxDepth: number
  /** Members and elements in all. */
  readonly maxMembers: number
}

/** The signs that count outside of texts. */
const MARK = /["[\]{},]/g

/** A member of a JSON object as it stands in the document. */
export type RawMember = readonly [name: string, value: string]

/**
 * The members at the top of a JSON object, cut by its brackets, commas and quotes alone; `undefined` beyond the limits, or if
 * it does not end where the text does. Cut before parsing, because parsing a deep or wide document with a reviver takes more
 * than linear time and keeps only the last of several members with one name, and because one value that is no JSON would cost
 * all others.
 */
export function membersOf(text: string, { maxDepth, maxMembers }: JsonLimits): readonly RawMember[] | undefined {
  const mark = new RegExp(MARK)
  const members: RawMember[] = []
  let [depth, count, start] = [0, 1, 0]
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [character] = found
    const at = found.index
    if (character === '"') mark.lastIndex = endOfText(text, at)
    else if (character === ',') count++
    else depth += character === '{' || character === '[' ? 1 : -1
    if (depth > maxDepth || count > maxMembers) return undefined
    const isEnd = depth === 0
    if ((character === ',' && depth === 1) || isEnd) {
      const part = text.slice(start, at)
      const member = memberIn(part)
      if (member !== undefined) members.push(member)
      else if (!isEnd || members.length > 0 || part.trim() !== '') return undefined
    }
    if (isEnd) return character === '}' && isBlankEnd(text.slice(at + 1)) ? members : undefined
    if (depth === 1 && (character === ',' || character === '{')) start = at + 1
  }
  return undefined
}

function memberIn(text: string): RawMember | undefined {
  const member = text.trim()
  const end = endOfText(member, 0)
  const value = member.slice(end).trimStart()
  if (!member.startsWith('"') || !value.startsWith(':')) return undefined
  return [member.slice(0, end), value.slice(1).trim()]
}

/** Some servers end a text with the null character of C. */
function isBlankEnd(text: string): boolean {
  return text.replaceAll('\0', '').trim() === ''
}

const DIGITS = /^[\da-f]{4}$/i

/** The characters of a JSON text whose escapes are wrong, or that has control characters: as they were meant. */
export function repairText(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(?:u(.{0,4})|(.))/gsu, (whole, code: string | undefined, sign = '') => {
    if (code === undefined) return ESCAPED[sign] ?? whole
    return DIGITS.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : whole
  })
}

const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  "'": "'",
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Whether all of it is one text in quotes. */
export function isQuoted(value: string): boolean {
  return value.startsWith('"') && value.length > 1 && value.endsWith('"') && endOfText(value, 0) === value.length
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
