/** Parts of a page in Markdown. */

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

export function code(text: string): string {
  return `\`${text}\``
}
