import { parseSync } from 'oxc-parser'
import { shorterComment } from './shorter-comment.ts'

/** The same declarations in fewer bytes. Drops comments on names that are not exported; what an editor shows of others stays. */
export function shorter(declarations: string): string {
  const { comments, program } = parseSync('index.d.ts', declarations)
  const starts = program.body.filter(({ type }) => !type.startsWith('Export')).map(({ start }) => start)
  const pieces = comments.map(({ start, end }, index) => {
    const code = declarations.slice(comments[index - 1]?.end ?? 0, start)
    const next = end + declarations.slice(end).search(/\S/)
    return shorterCode(code) + (starts.includes(next) ? '' : shorterComment(declarations.slice(start, end)))
  })
  return importedTogether(pieces.join('') + shorterCode(declarations.slice(comments.at(-1)?.end ?? 0)))
}

const TEXT = `'[^'\\n]*'|"[^"\\n]*"`
const SPACED = new RegExp(`(${TEXT})| *(=>|[:=|&,{}]) *`, 'g')

/**
 * Removes white space within lines and after comments, semicolons at line ends, line breaks in brackets and unions, and needless
 * `declare`.
 */
function shorterCode(code: string): string {
  return code
    .replace(/\n\s*/g, '\n')
    .replace(/;$/gm, '')
    .replace(/(?<=^|[{;=|] ?)\n|\n(?=[}|])/g, '')
    .replace(/^export declare /gm, 'export ')
    .replace(/^declare (?=interface |type )/gm, '')
    .replace(SPACED, (_, text: string | undefined, sign: string) => text ?? sign)
}

/** Joins the imports of each module into one. Declarations only need types. */
function importedTogether(declarations: string): string {
  const IMPORT = /^import(?: type)?\{(\w+)\}from ('.+')\n/gm
  const modules = Map.groupBy(declarations.matchAll(IMPORT), ([, , module]) => module)
  const imports = [...modules].map(([module, each]) => {
    return `import type{${each.map(([, name]) => name).join(',')}}from ${module}\n`
  })
  return imports.join('') + declarations.replace(IMPORT, '')
}
