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
