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
    texts.map(({ path, text }) => ({ path, module: parseSync(path, text).module })),
  )
  const lines = texts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
  const { names, bare } = publicNames(each)
  const used = { exported, 'of one other file': single, public: names, 'without a summary': bare }
  return { name: each.folder, files: files.length, lines, ...used }
})

const sum = (key: Exclude<keyof (typeof rows)[number], 'name'>) => rows.reduce((total, row) => total + row[key], 0)
const all = {
  name: 'all',
  files: sum('files'),
  lines: sum('lines'),
  exported: sum('exported'),
  'of one other file': sum('of one other file'),
  public: sum('public'),
  'without a summary': sum('without a summary'),
}
const breaches = packages.flatMap((each) => checkPackage(each, 'src')).map(({ message }) => message)
const circles = breaches.filter((message) => message.startsWith('imports itself'))
const against = breaches.filter((message) => message.endsWith('layers.ts'))
const sale = execFileSync(
  process.execPath,
  ['--conditions=@tallystick/source', '--no-warnings', join(root, 'packages/e2e/house/files-of-a-sale.ts')],
  { encoding: 'utf8' },
)

console.table(Object.fromEntries([...rows, all].map(({ name, ...row }) => [name, row])))
console.log(`
imports against the order of the folders  ${against.length}
circles of files                          ${circles.length}
files entered by a sale                   ${sale.trim()}

Public are the names of all entry points but \`internal\`, which only our own packages may use.`)
