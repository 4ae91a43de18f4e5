/** Pieces of a help text, with an empty line between them. */
export type HelpPart =
  /** A paragraph. */
  | string
  /** Command lines, as they are typed: broken where they are, so that they can be copied. */
  | { readonly heading?: string; readonly commands: readonly string[] }
  | { readonly heading: string; readonly rows: readonly HelpRow[] }

/** What is typed, and what it means. */
export type HelpRow = readonly [term: string, meaning: string]

/** The columns of a terminal that nobody made wider: a longer line is hard to read. */
const WIDEST = 80

/** With less room beside its term, a meaning goes below it. */
const NARROWEST_COLUMN = 30

/** Before what stands below a heading. */
const INDENT = 2

/** The longest term with its meaning on the same line. */
const LONGEST_TERM = 24

/** A help text for a terminal with so many columns. No line is longer, except for command lines and single words. */
export function helpText(parts: readonly HelpPart[], columns: number = WIDEST): string {
  const width = Math.min(WIDEST, columns)
  return `${parts.map((part) => shown(part, width)).join('\n\n')}\n`
}

function shown(part: HelpPart, width: number): string {
  if (typeof part === 'string') return wrapped(part, 0, width)
  const lines =
    'rows' in part ? rowsOf(part.rows, width) : part.commands.map((command) => `${' '.repeat(INDENT)}${command}`)
  return [...(part.heading === undefined ? [] : [part.heading]), ...lines].join('\n')
}

function rowsOf(rows: readonly HelpRow[], width: number): readonly string[] {
  const longest = Math.max(...rows.map(([term]) => term.length).filter((length) => length <= LONGEST_TERM))
  const beside = INDENT + longest + INDENT
  const column = width - beside < NARROWEST_COLUMN ? 3 * INDENT : beside
  return rows.map(([term, meaning]) => {
    const first = `${' '.repeat(INDENT)}${term}`
    return first.length + INDENT > column
      ? `${first}\n${wrapped(meaning, column, width)}`
      : wrappedBehind(first, meaning, column, width)
  })
}

/** In a narrower terminal, lines are broken once more. */
const NARROWEST = 40

/** Breaks a text between words. Each line is indented. Without a number of columns it stays one line, which programs find whole. */
export function wrapped(text: string, indent: number, columns: number | undefined): string {
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(NARROWEST, columns)
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || indent + line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n')
}

/** The same with something at the left edge of the first line. */
export function wrappedBehind(first: string, text: string, indent: number, columns: number | undefined): string {
  return first.padEnd(indent) + wrapped(text, indent, columns).slice(indent)
}
