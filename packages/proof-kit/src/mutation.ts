import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'

/** A part of a package's sources that is mutated, and the tests that have to notice. */
export interface MutationPart {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
  /** Whether it is part of the quick form, too. */
  readonly isQuick?: true
}

/** The least score that every part must reach, in percent. */
const LEAST = 95

/** A proof that the tests of a package notice changes of its code. */
export interface MutationProof {
  /** The package's folder under `packages`. */
  readonly of: string
  readonly parts: readonly MutationPart[]
  /** The package's `stryker.config.json`, which Stryker finds by itself. */
  readonly settings: { readonly tempDirName: string }
}

/**
 * Changes the code in one place at a time, and checks whether a test notices. Every mutant that survives must be listed with its
 * reason in `docs/proofs-survivors-PACKAGE.md`. Options: `--quick` and any number of `--part NAME`. The exit code is 0, or 1 if a
 * part is below 95 % or has a survivor that is not listed.
 */
export async function proveMutation({ of, parts, settings }: MutationProof): Promise<void> {
  process.chdir(fileURLToPath(new URL(`../../../packages/${of}`, import.meta.url)))
  // The folder to which Stryker copies the package, at the same depth. Stryker leaves it behind if it is interrupted.
  process.on('exit', () => rmSync(settings.tempDirName, { recursive: true, force: true }))
  const list = new URL(`../../../docs/proofs-survivors-${of}.md`, import.meta.url)
  const begun = performance.now()
  const all: MutantResult[] = []
  const failed: string[] = []
  for (const part of partsAsked(parts)) {
    const results = await mutate(part, of)
    all.push(...results)
    print(`mutation-${of}, ${part.name}: ${figure(results)}`)
    const unlisted = unlistedSurvivors(results.filter(hasSurvived), list)
    if (score(results) < LEAST || unlisted.length > 0) failed.push(part.name)
    for (const mutant of unlisted) print(`  survived, not listed: ${mutant}`)
  }
  const verdict = failed.length === 0 ? '' : `FAILED in ${failed.join(', ')}: `
  print(`mutation-${of}: ${verdict}${figure(all)}, ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

function partsAsked(parts: readonly MutationPart[]): readonly MutationPart[] {
  const { quick, part: names } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, part: { type: 'string', multiple: true } },
  }).values
  const unknown = names?.find((name) => !parts.some((part) => part.name === name))
  if (unknown !== undefined) throw new TypeError(`there is no part ${unknown}`)
  return parts.filter(({ name, isQuick }) => names?.includes(name) ?? (isQuick === true || !quick))
}

/** Stryker cannot pass the tests on, so its test runner reads them from the environment. */
async function mutate({ name, mutate: files, tests }: MutationPart, of: string): Promise<readonly MutantResult[]> {
  process.env['MUTATION_TESTS'] = tests.join(' ')
  const jsonReporter = { fileName: `../../.verify/mutation-${of}-${name}.json` }
  return await new Stryker({ mutate: [...files], jsonReporter }).runMutationTest()
}

function isNoticed({ status }: MutantResult): boolean {
  return status === 'Killed' || status === 'Timeout'
}

function hasSurvived({ status }: MutantResult): boolean {
  return status === 'Survived' || status === 'NoCoverage'
}

/** In percent. A mutant that keeps a module from loading does not count at all, as in Stryker. */
function score(results: readonly MutantResult[]): number {
  const noticed = results.filter(isNoticed).length
  return (100 * noticed) / (noticed + results.filter(hasSurvived).length)
}

function figure(results: readonly MutantResult[]): string {
  const count = (...statuses: readonly string[]) => results.filter(({ status }) => statuses.includes(status)).length
  return (
    `${results.length} mutants, ${count('Killed')} killed, ${count('Timeout')} timed out, ` +
    `${count('RuntimeError')} broke the loading, ${count('Survived', 'NoCoverage')} survived, ${score(results).toFixed(1)} %`
  )
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

/** A mutant as the list names it: the file below `src`, the code, and the changed code, each white space as one space. */
type NamedMutant = readonly [file: string, code: string, becomes: string]

/**
 * Describes each survivor that is not listed: where it is and what it changed.
 *
 * @param list the list of mutants that no test can kill: rows of `file | where | code | becomes | why`
 */
function unlistedSurvivors(survivors: readonly MutantResult[], list: URL): readonly string[] {
  const rows = readFileSync(list, 'utf8').split('\n')
  const listed = new Set(rows.filter((row) => row.startsWith('| `')).map((row) => JSON.stringify(readRow(row))))
  return survivors.flatMap((mutant) => {
    const [file, code, becomes] = named(mutant)
    const isListed = listed.has(JSON.stringify([file, code, becomes]))
    return isListed ? [] : [`src/${file}:${mutant.location.start.line}: ${code} -> ${becomes}`]
  })
}

function readRow(row: string): NamedMutant {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').replace(/^ *(`*) ?| ?(`*) *$/g, ''))
  const [, file = '', , code = '', becomes = ''] = cells
  return [file, code, becomes]
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
  const single = (text: string) => text.replace(/\s+/g, ' ').trim()
  return [fileName.replace(/^.*?src\//, ''), single(code.join(' ')), single(replacement)]
}
