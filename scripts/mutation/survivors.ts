import { readFileSync } from 'node:fs'
import type { Stryker } from '@stryker-mutator/core'

export type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** A mutant as the list names it: the file below `src`, the code, and the changed code, each white space as one space. */
interface NamedMutant {
  readonly file: string
  readonly code: string
  readonly becomes: string
}

/**
 * Describes each survivor that is not listed: where it is and what it changed.
 *
 * @param list the list of mutants that no test can kill: rows of `file | where | code | becomes | why`
 */
export function unlistedSurvivors(survivors: readonly MutantResult[], list: URL): readonly string[] {
  const listed = new Set(listedSurvivors(list).map(keyOf))
  const unlisted = survivors.filter((mutant) => !listed.has(keyOf(named(mutant))))
  return unlisted.map((mutant) => {
    const { file, code, becomes } = named(mutant)
    return `src/${file}:${mutant.location.start.line}: ${code} -> ${becomes}`
  })
}

function listedSurvivors(list: URL): readonly NamedMutant[] {
  const rows = readFileSync(list, 'utf8').split('\n')
  return rows.filter((row) => row.startsWith('| `')).map(readRow)
}

function readRow(row: string): NamedMutant {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').replace(/^ *(`*) ?| ?(`*) *$/g, ''))
  const [, file = '', , code = '', becomes = ''] = cells
  return { file, code, becomes }
}

function keyOf({ file, code, becomes }: NamedMutant): string {
  return JSON.stringify([file, code, becomes])
}

function named({ fileName, location, replacement }: MutantResult): NamedMutant {
  const { start, end } = location
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  const last = lines.length - 1
  const code = lines.map((line, at) =>
    line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined),
  )
  return { file: fileName.replace(/^.*?src\//, ''), code: single(code.join(' ')), becomes: single(replacement) }
}

function single(code: string): string {
  return code.replace(/\s+/g, ' ').trim()
}
