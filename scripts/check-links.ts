/**
 * Checks that every relative link of the Markdown files leads to a file, and its anchor to a heading there.
 *
 *     node scripts/check-links.ts
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { anchorsOf, findLinks, type Link } from './readme/links.ts'
import { root } from './workspace.ts'

const isGenerated = (name: string) => name.startsWith('.') || ['node_modules', 'dist', 'etc'].includes(name)
const files = globSync('**/*.md', { cwd: root, exclude: (path) => isGenerated(basename(path)) }).map((file) =>
  join(root, file),
)
let links = 0
let broken = 0

for (const file of files) {
  for (const link of findLinks(readFileSync(file, 'utf8'))) {
    links++
    const problem = problemOf(file, link)
    if (problem === undefined) continue
    broken++
    console.error(`${relative(root, file)}:${link.line} ${problem}`)
  }
}
console.log(`${links} links in ${files.length} files, ${broken} broken`)
if (broken > 0) process.exitCode = 1

function problemOf(file: string, { path, anchor }: Link): string | undefined {
  const target = path === '' ? file : join(dirname(file), path)
  if (!existsSync(target)) return `there is no ${path}`
  if (anchor === undefined || !target.endsWith('.md')) return undefined
  if (anchorsOf(readFileSync(target, 'utf8')).has(anchor)) return undefined
  return `${relative(root, target)} has no heading #${anchor}`
}
