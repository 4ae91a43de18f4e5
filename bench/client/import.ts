/**
 * Measures the CPU time of importing the built client in a fresh process, against undici and zod together, and the size of the
 * three packages that a merchant installs. Build the client first.
 *
 *     node bench/client/import.ts
 */
import { globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtModule, importTimes, moduleFor } from '../import-times.ts'
import { printTable } from '../signing/table.ts'

const packages = new URL('../../packages/', import.meta.url)
const client = builtModule('client')
const zod = moduleFor(builtModule('core'), 'zod')
const { ours, others } = importTimes({
  ours: [[client, 'createPaymentClient']],
  others: [
    [moduleFor(client, 'undici'), 'Agent'],
    [zod, 'safeParse'],
  ],
})
printTable('Import, CPU time in a fresh process', [
  { what: 'undici and zod', figure: others.median, unit: 'ms' },
  {
    what: '@tallystick/client against both',
    figure: ours.median / others.median,
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

/** The size of the published files of a package, without the licence: `files` of the manifest, the manifest and the README. */
function kilobytesOf(name: string): number {
  const cwd = fileURLToPath(new URL(name, packages))
  const manifest: { readonly files: readonly string[] } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8'))
  const folders = manifest.files.map((folder) => `${folder}/**/*`)
  const files = globSync([...folders, 'package.json', 'README.md'], { cwd })
  const bytes = files.map((file) => statSync(`${cwd}/${file}`)).filter((stat) => stat.isFile())
  return bytes.reduce((sum, { size }) => sum + size, 0) / 1000
}
