/** The examples of a Markdown text. */
export interface Fence {
  /** The line of the opening fence, counted from 1. */
  readonly line: number
  readonly code: string
  /** The words behind the language say that it is only compiled, for whoever must not read it in the code. */
  readonly isOnlyCompiled: boolean
}

const OPENING = /^( *)```(\w+)( not-run)?\s*$/

/** Every fence of the language, without the indentation that it has in a list. */
export function findFences(markdown: string, wanted = 'ts'): readonly Fence[] {
  const lines = markdown.split(/\r?\n/)
  return lines.flatMap((text, index) => {
    const [, indent, language, notRun] = OPENING.exec(text) ?? []
    if (indent === undefined || language !== wanted) return []
    const closing = lines.indexOf(`${indent}\`\`\``, index)
    const end = closing === -1 ? lines.length : closing
    const code = lines.slice(index + 1, end).map((line) => line.slice(indent.length))
    return { line: index + 1, code: code.join('\n'), isOnlyCompiled: notRun !== undefined }
  })
}

/** The text under a heading, up to the next one. */
export function sectionOf(markdown: string, heading: string): string {
  const [, section] = `\n${markdown}`.split(`\n${heading}\n`)
  if (section === undefined) throw new Error(`there is no heading "${heading}"`)
  return section.split(/^#+ /m, 1)[0] ?? ''
}

/** Whether the fence is run. One that begins with this comment, or opens with `ts not-run`, is only compiled. */
export function isRun({ code, isOnlyCompiled }: Fence): boolean {
  return !isOnlyCompiled && !code.startsWith('// not run')
}

/** The code on the same lines as in the Markdown file, so that every message names the right line. */
export function atItsLine({ line, code }: Fence): string {
  return '\n'.repeat(line) + code
}
