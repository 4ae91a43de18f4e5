/** Every regular expression that a file writes as such. One that is put together from texts is not seen. */
import { type Comment, parseSync, Visitor } from 'oxc-parser'

export interface Expression {
  readonly pattern: string
  readonly flags: string
  readonly line: number
  /** Whether a comment that begins with `Linear:` stands right above its declaration, and says why it is. */
  readonly isExplained: boolean
}

/** What stands between the comment and the expression. */
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
