import type { SourceModule } from './source-module.ts'

/** The text of the doc comment right before a node, in one line; empty if there is none. */
export function docBefore({ start }: { readonly start: number }, { text, comments }: SourceModule): string {
  const doc = comments.findLast((each) => each.end <= start && text.slice(each.end, start).trim() === '')
  if (doc?.type !== 'Block' || !doc.value.startsWith('*')) return ''
  const lines = doc.value.split('\n').map((line) => line.replace(/^\s*\*? ?/, ''))
  const tag = lines.findIndex((line) => line.startsWith('@'))
  return lines
    .slice(0, tag < 0 ? lines.length : tag)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
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
  const text = doc.replaceAll(ORIGIN, '').replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
  const standard = STANDARD.exec(text)
  return { meaning: text.replace(STANDARD, '').trim(), standard: standard?.[1] }
}
