import type { Option } from './read-options.ts'

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

export interface Told {
  readonly meaning: string
  /** The default of the option; `undefined` if the comment has none. */
  readonly standard: string | undefined
}

/** References to the source of a fact are only for people who change the code. */
const ORIGIN = / \((?:gaps|conflict|specification)[^)]*\)/g
const STANDARD = /(?:^| )Default:? (.+?)\.(?= |$)/

/** Splits a doc comment into the meaning of an option and the sentence that begins with "Default". */
export function readDoc(doc: string): Told {
  const text = doc.replaceAll(ORIGIN, '').replaceAll(/\{@link ([^}]+?) ?\}/g, '`$1`')
  const standard = STANDARD.exec(text)
  return { meaning: text.replace(STANDARD, '').trim(), standard: standard?.[1] }
}
