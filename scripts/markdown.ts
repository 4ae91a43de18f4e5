/** Parts of a page in Markdown. */

/** Blocks with an empty line between them, as the text of a file. */
export function page(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`
}

export function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}

export function list(points: readonly string[]): string {
  return points.map((point) => `- ${point}`).join('\n')
}

/** A numbered list. */
export function steps(points: readonly string[]): string {
  return points.map((point, index) => `${index + 1}. ${point}`).join('\n')
}

export function code(text: string): string {
  return `\`${text}\``
}
