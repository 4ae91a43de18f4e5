/**
 * Measures the CPU time of importing the built client in a fresh process, against undici and zod together, and the size of the
 * three packages that a merchant installs. Build the client first.
 *
 *     node bench/client/import.ts
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { printTable } from '../signing/table.ts'

const packages = new URL('../../packages/', import.meta.url)
const client = new URL('client/dist/index.js', packages)
if (!existsSync(client)) throw new Error('build @tallystick/client first')
const zod = pathToFileURL(
  createRequire(new URL('core/dist/index.js', packages))
    .resolve('zod')
    .replace(/\.cjs$/, '.js'),
)
const undici = pathToFileURL(createRequire(client).resolve('undici'))

const RUNS = 25
const { ofClient, ofOthers } = medians({
  ofClient: [[client, 'createPaymentClient']],
  ofOthers: [
    [undici, 'Agent'],
    [zod, 'safeParse'],
  ],
})
printTable('Import, CPU time in a fresh process', [
  { what: 'undici and zod', figure: ofOthers, unit: 'ms' },
  {
    what: '@tallystick/client against both',
    figure: ofClient / ofOthers,
    unit: 'times',
    goal: 'at most 1, better 0.6',
  },
])
const sizes = ['client', 'core', 'signing'].map((name) => ({ what: name, figure: kilobytesOf(name), unit: 'KB' }))
const figure = sizes.reduce((sum, size) => sum + size.figure, 0)
const licences = (sizes.length * statSync(new URL('../LICENSE', packages)).size) / 1000
printTable('Unpacked, without dependencies', [
  ...sizes,
  { what: 'together', figure, unit: 'KB', goal: 'under 400' },
  { what: 'with the licence, which pnpm adds to each', figure: figure + licences, unit: 'KB' },
])

type Imported = readonly [module: URL, name: string]

/** The median times in milliseconds. All take turns. */
function medians<const Name extends string>(
  contest: Readonly<Record<Name, readonly Imported[]>>,
): Record<Name, number> {
  const names = Object.keys(contest) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let run = 0; run < RUNS; run++) for (const name of names) times[name].push(timeOf(contest[name]))
  const median = (each: number[]) => each.toSorted((a, b) => a - b)[each.length >> 1] ?? Number.NaN
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>
}

/** Times the imports. Each has to export the given name. */
function timeOf(imports: readonly Imported[]): number {
  const lines = imports.map(
    ([{ href }, name]) =>
      `if ((await import(${JSON.stringify(href)}))[${JSON.stringify(name)}] === undefined) throw new Error()`,
  )
  const script = `const started = process.cpuUsage()
${lines.join('\n')}
const { user, system } = process.cpuUsage(started)
process.stdout.write(String(user + system))`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })) / 1000
}

/** The size of the published files of a package, without the licence: `files` of the manifest, the manifest and the README. */
function kilobytesOf(name: string): number {
  const cwd = fileURLToPath(new URL(name, packages))
  const manifest: { readonly files: readonly string[] } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8'))
  const folders = manifest.files.map((folder) => `${folder}/**/*`)
  const files = globSync([...folders, 'package.json', 'README.md'], { cwd })
  const bytes = files.map((file) => statSync(`${cwd}/${file}`)).filter((stat) => stat.isFile())
  return bytes.reduce((sum, { size }) => sum + size, 0) / 1000
}
