/**
 * Compiles every ```ts fence of the READMEs, docs and guides against the built packages, as a user's compiler would, and runs
 * each with node. A fence that begins with `// not run` is only compiled. Every fence must work on its own.
 *
 *     node scripts/readme-examples.ts
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { atItsLine, type Fence, findFences, isRun } from './readme/fences.ts'
import { createSampleFolder } from './readme/sample-folder.ts'
import { publicPackages, root, scratch } from './workspace.ts'

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
  const examples = readmes().flatMap((readme) => examplesOf(readme))
  createSampleFolder(folder)
  for (const example of examples) writeFileSync(example.file, atItsLine(example))
  const compiled = examples.length === 0 || compile(examples)
  const failed = compiled ? examples.filter((example) => isRun(example) && !run(example)) : examples
  if (failed.length > 0) process.exitCode = 1
  console.log(compiled ? `${examples.length} examples, ${failed.length} failed` : 'The examples do not compile')
}

function readmes(): readonly string[] {
  const paths = [root, ...publicPackages().map(({ path }) => path)].map((path) => join(path, 'README.md'))
  const pages = ['docs', 'docs/guides'].flatMap((name) => pagesIn(join(root, name)))
  return [...paths.filter((path) => existsSync(path)), join(root, 'CONTRIBUTING.md'), ...pages]
}

function pagesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return files.map((name) => join(folder, name))
}

function examplesOf(path: string): readonly Example[] {
  const readme = relative(root, path)
  const prefix = readme.replace(/\.md$/, '').replaceAll(/\W+/g, '-')
  return findFences(readFileSync(path, 'utf8')).map((fence) => ({
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
