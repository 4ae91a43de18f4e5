/**
 * Compiles every ```ts fence of the READMEs, docs and guides against the built packages, as a user's compiler would, and runs
 * each with node. A fence that begins with `// not run` is only compiled. Every fence must work on its own.
 *
 *     node scripts/readme-examples.ts
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { atItsLine, type Fence, findFences, isRun } from './readme/fences.ts'
import { createSampleFolder } from './readme/sample-folder.ts'
import { root, scratch } from './workspace.ts'

const folder = join(scratch, 'examples')

/** How long one example may run. */
const PATIENCE_MS = 60_000

interface Example extends Fence {
  /** The path below the root: `packages/core/README.md`. */
  readonly readme: string
  /** The file that is compiled and run. */
  readonly file: string
}

main()

function main(): void {
  const pages = ['README.md', 'CONTRIBUTING.md', 'packages/*/README.md', 'docs/*.md', 'docs/guides/*.md']
  const examples = globSync(pages, { cwd: root }).sort().flatMap(examplesOf)
  createSampleFolder(folder)
  for (const example of examples) writeFileSync(example.file, atItsLine(example))
  const compiled = examples.length === 0 || compile(examples)
  const failed = compiled ? examples.filter((example) => isRun(example) && !run(example)) : examples
  if (failed.length > 0) process.exitCode = 1
  console.log(compiled ? `${examples.length} examples, ${failed.length} failed` : 'The examples do not compile')
}

function examplesOf(readme: string): readonly Example[] {
  const prefix = readme.replace(/\.md$/, '').replaceAll(/\W+/g, '-')
  return findFences(readFileSync(join(root, readme), 'utf8')).map((fence) => ({
    ...fence,
    readme,
    file: join(folder, `${prefix}-${fence.line}.ts`),
  }))
}

function compile(examples: readonly Example[]): boolean {
  const { status, stdout } = spawnSync(
    join(root, 'node_modules', '.bin', 'tsc'),
    ['-p', 'tsconfig.json', '--pretty', 'false'],
    {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0) console.error(inReadme(stdout, examples))
  return status === 0
}

function run(example: Example): boolean {
  const { status, stdout, stderr } = spawnSync(process.execPath, [example.file], {
    cwd: folder,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  })
  if (status === 0) return true
  const end = status === null ? `was stopped after ${PATIENCE_MS / 1000} s` : `ended with code ${status}`
  console.error(`${example.readme}:${example.line} ${end}\n${inReadme(stdout + stderr, [example])}`)
  return false
}

/** Replaces the name of the compiled file in messages by that of its README; the lines are the same. */
function inReadme(output: string, examples: readonly Example[]): string {
  return examples.reduce(
    (text, { file, readme }) =>
      text.replaceAll(`file://${file}`, readme).replaceAll(file, readme).replaceAll(basename(file), readme),
    output,
  )
}
