/** Finds every regular expression literal in a file. Expressions that are built from texts are not found. */
import { type Comment, parseSync, Visitor } from 'oxc-parser'

export interface Expression {
  readonly pattern: string
  readonly flags: string
  readonly line: number
  /** Whether a comment right above its declaration begins with `Linear:` and explains why it is. */
  readonly isExplained: boolean
}

/** The code between the comment and the expression. */
const DECLARATION = /^\s*(?:export )?const \w+ =\s*$/

export function findExpressions(path: string, text: string): readonly Expression[] {
  const { program, comments, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} cannot be read: ${error.message}`)
  const reasons = comments.filter(isReason)
  const found: Expression[] = []
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node)) return
      const line = text.slice(0, node.start).split('\n').length
      const isExplained = reasons.some(({ end }) => end < node.start && DECLARATION.test(text.slice(end, node.start)))
      found.push({ ...node.regex, line, isExplained })
    },
  }).visit(program)
  return found
}

function isReason({ value }: Comment): boolean {
  return value.trim().startsWith('Linear: ')
}
