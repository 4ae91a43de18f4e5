import { readFileSync } from 'node:fs'

/** One rule of the interface, which at least one test verifies by citing its id in square brackets. */
export interface Requirement {
  /** `S<part>-<nn>` for a rule that the specification states, `G<part>-<nn>` for one that fills a gap, `F-<part><n>` for a fault that people met. */
  readonly id: string
  /** The part that the rule stands under: `'5.1'`, `'3.2'`, or the letter of a fault. */
  readonly part: string
  readonly origin: 'stated' | 'filled in' | 'met'
  /** The rule, short and exact; a stated one is in the words of the specification. */
  readonly text: string
  /** Why no test verifies it yet. Absent once a test does. */
  readonly deferred?: string
}

const ORIGINS = { S: 'stated', G: 'filled in', 'F-': 'met' } as const
const PART = /^## (?<letter>S|G|F-)(?<part>[\w.]+): /
const RULE = /^- \*\*(?<id>\S+)\*\* (?<text>.+?)(?: Deferred: ?(?<deferred>.*))?$/

/** Reads a table like `requirements.md`. Throws for a line after the first heading of a part that is neither a part nor a rule. */
export function parseRequirements(markdown: string): readonly Requirement[] {
  const requirements: Requirement[] = []
  let under: Pick<Requirement, 'part' | 'origin'> | undefined
  for (const line of markdown.replaceAll(/\n {2}(?=\S)/g, ' ').split('\n')) {
    const heading = PART.exec(line)?.groups
    const rule = RULE.exec(line)?.groups
    if (heading !== undefined) {
      const { letter, part = '' } = heading as { readonly letter: keyof typeof ORIGINS; readonly part?: string }
      under = { part, origin: ORIGINS[letter] }
    } else if (under !== undefined && rule !== undefined) {
      const { id = '', text = '', deferred } = rule
      requirements.push({ id, ...under, text, ...(deferred === undefined ? {} : { deferred }) })
    } else if (under !== undefined && line !== '') throw new Error(`neither a part nor a rule: ${line}`)
  }
  return requirements
}

/** Every rule of the interface: those of the specification in its order, those that fill its gaps, the faults. */
export const requirements = parseRequirements(readFileSync(new URL('requirements.md', import.meta.url), 'utf8'))

const ID = /^([SG])(\d+)(?:\.(\d+))?-(\d{2})$/
const FAULT = /^F-([A-G])(\d+)$/

/** What is wrong with the ids, one line each: form, part, origin, order. Empty if all is well. */
export function judgeIds(requirements: readonly Requirement[]): readonly string[] {
  return requirements.flatMap((requirement, index) => {
    const { id, part, origin } = requirement
    const previous = requirements[index - 1]
    if (origin === 'met') return FAULT.exec(id)?.[1] === part ? [] : `${id} is not of the form F-<part><n>`
    if (!ID.test(id)) return `${id} is not of the form S<part>-<nn> or G<part>-<nn>`
    if (id !== `${origin === 'stated' ? 'S' : 'G'}${part}${id.slice(-3)}`)
      return `${id} does not fit its part or origin`
    if (previous !== undefined && compare(previous.id, id) >= 0) return `${id} comes after ${previous.id}`
    return []
  })
}

/** Stated rules come first, then part by part, then by number. Below zero if `one` comes before `other`. */
function compare(one: string, other: string): number {
  const [left, right] = [rank(one), rank(other)]
  const at = left.findIndex((value, index) => value !== right[index])
  return (left[at] ?? 0) - (right[at] ?? 0)
}

function rank(id: string): readonly number[] {
  const [, letter, part, section = '0', number] = ID.exec(id) ?? []
  return [letter === 'S' ? 0 : 1, Number(part), Number(section), Number(number)]
}
