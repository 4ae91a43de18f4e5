/**
 * Checks that every regular expression of the public packages reads any text in linear time. Replies, forms and headers come from
 * strangers, and an expression that tries the same characters in several ways would stop the whole process.
 *
 *     node scripts/check-expressions.ts
 */
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { checkSync } from 'recheck'
import { type Expression, findExpressions } from './expressions/find-expressions.ts'
import { root, shippedPackages } from './workspace.ts'

/**
 * Judges by the characters that a match reads, not by its time: on a busy machine a linear expression would look costly. Only the
 * whole check of an expression has a time limit, which is far more than any needs.
 */
const BY_CHARACTERS = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null, timeout: 120_000 }

const found = shippedPackages()
  .flatMap(({ path }) => globSync('src/**/*.ts', { cwd: path }).map((file) => join(path, file)))
  .flatMap(expressionsOf)
const checked = found.filter(({ isExplained }) => !isExplained)
let costly = 0

for (const { file, line, pattern, flags } of checked) {
  const verdict = checkSync(pattern, flags, BY_CHARACTERS)
  if (verdict.status === 'safe') continue
  costly++
  const cost = verdict.status === 'vulnerable' ? verdict.complexity.summary : 'undecided within the time limit'
  console.error(`${file}:${line} ${cost}: ${pattern}`)
}
if (costly > 0) {
  console.error(
    '\nWrite it so that no two parts match the same characters, or explain above it why it is linear: // Linear: ...',
  )
  process.exitCode = 1
} else console.log(`${found.length} regular expressions, ${found.length - checked.length} of them explained`)

function expressionsOf(path: string): readonly (Expression & { readonly file: string })[] {
  const file = relative(root, path).replaceAll('\\', '/')
  return findExpressions(file, readFileSync(path, 'utf8')).map((expression) => ({ ...expression, file }))
}
