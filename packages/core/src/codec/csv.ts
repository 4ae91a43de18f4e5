/**
 * Comma-separated values with a header, by RFC 4180: a value with a comma, a quote or a line break is in quotes, and a quote in it
 * is doubled. No public source says how the family separates or quotes (gaps part 1.4 of the recurring operations).
 */

type CsvTable =
  | { readonly ok: true; readonly rows: readonly CsvRow[] }
  | { readonly ok: false; readonly problem: string }

/** A row by the names of its header; a value that is empty is absent. */
interface CsvRow {
  /** The line of the text on which it begins: the header is line 1. */
  readonly line: number
  readonly cells: readonly (readonly [name: string, text: string])[]
}

interface Line {
  readonly line: number
  readonly cells: readonly string[]
}

/** Reads a table. A byte order mark and empty lines are dropped. The problem that it tells quotes no value: it may be a card number. */
export function readCsv(text: string): CsvTable {
  const lines: Line[] = []
  const problem = scan(text.replace(/^\ufeff/, ''), lines)
  if (problem !== undefined) return { ok: false, problem }
  const [header, ...rest] = lines
  if (header === undefined) return { ok: false, problem: 'has no header' }
  const names = header.cells.map((name) => name.trim())
  if (new Set(names).size < names.length) return { ok: false, problem: 'names a column twice in its header' }
  if (names.includes('')) return { ok: false, problem: 'has a column without a name in its header' }
  const uneven = rest.find(({ cells }) => cells.length !== names.length)
  if (uneven !== undefined) {
    const counts = `${uneven.cells.length} values in line ${uneven.line} and ${names.length} columns in its header`
    return { ok: false, problem: `has ${counts}` }
  }
  return {
    ok: true,
    rows: rest.map(({ line, cells }) => ({
      line,
      cells: names.map((name, at) => [name, cells[at] ?? ''] as const).filter(([, cell]) => cell.trim() !== ''),
    })),
  }
}

/** A cell with what ends it. One way only to match any text, so the time is linear. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

function scan(text: string, lines: Line[]): string | undefined {
  let line = 1
  let begun = 1
  let cells: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex < text.length || cells.length > 0) {
    const found = CELL.exec(text)
    if (found === null) return `has a quote in line ${line} that is not closed, doubled, or around a whole value`
    const [, quoted, plain = '', end] = found
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    line += quoted?.match(/\r\n|\n|\r/g)?.length ?? 0
    if (end === ',') continue
    if (cells.length > 1 || quoted !== undefined || plain.trim() !== '') lines.push({ line: begun, cells })
    cells = []
    begun = ++line
  }
  return undefined
}

/** Writes a table: a column for each name, in this order; lines end with CR LF. */
export function writeCsv(names: readonly string[], rows: readonly ReadonlyMap<string, string>[]): string {
  const lines = [names, ...rows.map((row) => names.map((name) => row.get(name) ?? ''))]
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
