/**
 * Compiles every ```ts fence of the READMEs, docs and guides against the built packages, as a user's compiler would, and runs
 * each with node. A fence that begins with `// not run` is only compiled. Every fence must work on its own. One that names
 * DATABASE_URL is given an empty PostgreSQL database there; one that names MYSQL_URL, one of MariaDB, if that is installed.
 *
 *     node scripts/readme-examples.ts
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { testDatabase } from '@tallystick/test-postgres'
import { mariaDbProgram, mariaDbServer } from '../packages/journal/test/store/mariadb-server.ts'
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

await main()

async function main(): Promise<void> {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'packages/*/README.md',
    'docs/*.md',
    'docs/{errors,guides,recipes}/**/*.md',
  ]
  const examples = globSync(pages, { cwd: root }).sort().flatMap(examplesOf)
  createSampleFolder(folder)
  for (const example of examples) writeFileSync(example.file, atItsLine(example))
  const compiled = examples.length === 0 || compile(examples)
  const failed: Example[] = compiled ? [] : [...examples]
  for (const example of compiled ? examples.filter(isRun) : []) {
    const { settings, close } = await databasesFor(example)
    if (settings === undefined) console.log(`${example.readme}:${example.line} is not run: MariaDB is not installed`)
    else if (!run(example, settings)) failed.push(example)
    await close()
  }
  if (failed.length > 0) process.exitCode = 1
  console.log(compiled ? `${examples.length} examples, ${failed.length} failed` : 'The examples do not compile')
}

/** Variables with the addresses that the code names. `undefined`: one cannot be had. */
async function databasesFor({ code }: Example) {
  if (code.includes('MYSQL_URL')) {
    const server = mariaDbProgram === undefined ? undefined : await mariaDbServer(mariaDbProgram)
    const settings = server && { MYSQL_URL: await server.fresh() }
    return { settings, close: async () => await server?.stop() }
  }
  const database = code.includes('DATABASE_URL') ? await testDatabase() : undefined
  return { settings: database ? { DATABASE_URL: database.url } : {}, close: async () => await database?.close() }
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

function run(example: Example, settings: NodeJS.ProcessEnv): boolean {
  const { status, stdout, stderr } = spawnSync(process.execPath, [example.file], {
    cwd: folder,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    env: { ...process.env, ...settings },
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
