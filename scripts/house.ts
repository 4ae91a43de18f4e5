/**
 * Prints the figures of the house: how many files and lines the packages have, whether their folders keep their order, how many names
 * are public, and how many files a sale passes through.
 *
 *     pnpm house
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { checkPackage } from './dependencies/check-package.ts'
import { publicNames, singleUse } from './house/names.ts'
import { root, shippedPackages } from './workspace.ts'

const packages = shippedPackages()
const rows = packages.map((each) => {
  const files = globSync('src/**/*.ts', { cwd: each.path })
  const texts = files.map((file) => ({
    path: file.replaceAll('\\', '/'),
    text: readFileSync(join(each.path, file), 'utf8'),
  }))
  const { exported, single } = singleUse(
    texts.map(({ path, text }) => ({ path, program: parseSync(path, text).program })),
  )
  const lines = texts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
  return { name: each.folder, files: files.length, lines, exported, single, ...publicNames(each) }
})

const sum = (key: Exclude<keyof (typeof rows)[number], 'name'>) => rows.reduce((total, row) => total + row[key], 0)
const breaches = packages.flatMap((each) => checkPackage(each, 'src')).map(({ message }) => message)
const circles = breaches.filter((message) => message.startsWith('imports itself'))
const against = breaches.filter((message) => message.endsWith('layers.ts'))
const sale = execFileSync(
  process.execPath,
  ['--conditions=@tallystick/source', '--no-warnings', join(root, 'packages/e2e/house/files-of-a-sale.ts')],
  { encoding: 'utf8' },
)

console.log('package          files   lines  exported  of one other file  public  without a summary')
for (const row of [
  ...rows,
  {
    name: 'all',
    files: sum('files'),
    lines: sum('lines'),
    exported: sum('exported'),
    single: sum('single'),
    names: sum('names'),
    bare: sum('bare'),
  },
]) {
  const { name, files, lines, exported, single, names, bare } = row
  console.log(
    `${name.padEnd(16)}${right(files, 6)}${right(lines, 8)}${right(exported, 10)}${right(single, 19)}${right(names, 8)}${right(bare, 19)}`,
  )
}
console.log(`
imports against the order of the folders  ${against.length}
circles of files                          ${circles.length}
files entered by a sale                   ${sale.trim()}

Public are the names of all entry points but \`internal\`, which only our own packages may use.`)

function right(value: number, width: number): string {
  return String(value).padStart(width)
}
