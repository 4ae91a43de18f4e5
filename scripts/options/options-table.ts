import { readDoc } from './doc-comment.ts'
import type { Option } from './option.ts'

/** A table in Markdown, with the required options first. */
export function optionsTable(options: readonly Option[]): string {
  const rows = [...options].sort((a, b) => rank(a) - rank(b)).map((option) => row(option))
  return ['| Option | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function row(option: Option): string {
  const { meaning, standard } = readDoc(option.doc)
  const cells = [code(option.name), code(option.type), necessity(option) ?? standard ?? 'none', meaning]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function necessity({ isRequired, alternatives }: Option): string | undefined {
  if (alternatives.length > 0) return `required, or ${alternatives.map((name) => code(name)).join(', ')}`
  return isRequired ? 'required' : undefined
}

function rank(option: Option): number {
  return necessity(option) === undefined ? 1 : 0
}

function code(text: string): string {
  return `\`${text}\``
}
