import type { Requirement } from './requirement.ts'

const ID = /^([SG])(\d+)(?:\.(\d+))?-(\d{2})$/
const FAULT = /^F-([A-D])(\d+)$/

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
