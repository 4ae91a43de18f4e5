import { wrapped, wrappedBehind } from '../wrapped.ts'
import type { Result } from './results.ts'

const COLUMN = 'not tried  '.length

/** None for what was not tried because nothing was: the reason would be lost among these lines. */
export function linesOf({ verdict, claim, source, detail }: Result, columns: number | undefined): string {
  if (verdict === 'not tried' && detail === undefined) return ''
  const line = `${wrappedBehind(verdict, `${claim} (${source})`, COLUMN, columns)}\n`
  if (detail === undefined) return line
  const inOneLine = detail
    .split('\n')
    .map((each) => each.trim())
    .join(' ')
  return `${line}${wrapped(inOneLine, COLUMN, columns)}\n`
}

export function sumOf(results: readonly Result[]): string {
  const countOf = (wanted: Result['verdict']) => results.filter(({ verdict }) => verdict === wanted).length
  return `${countOf('right')} right, ${countOf('wrong')} wrong, ${countOf('not tried')} not tried`
}
