import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What `nest new` writes for a CommonJS app, with payments in it and nothing set. */
const schematics = 'node_modules/@nestjs/schematics'
const template = join(schematics, 'dist/lib/application/files/ts')
const isOlder = JSON.parse(readFileSync(join(schematics, 'package.json'), 'utf8')).version.startsWith('11.')
/** As the command line of each version fills them in. */
const values = { name: 'shop', version: '0.0.1', strict: !isOlder, specFileSuffix: 'spec', packageManager: 'npm' }

for (const entry of readdirSync(template, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())) {
  const source = join(entry.parentPath, entry.name)
  const target = source.slice(template.length + 1).replace('__specFileSuffix__', values.specFileSuffix)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, rendered(readFileSync(source, 'utf8')))
}
// The other test is of HTTP, and wants supertest.
writeFileSync('tsconfig.check.json', JSON.stringify({ extends: './tsconfig.json', include: ['src'] }))

const options = { stdio: 'inherit' }
// Nest 12 is ES modules alone, which jest can require from Node 24.9 on: on Node 22 not even the spec of `nest new` runs.
if (isOlder || !process.version.startsWith('v22.')) execFileSync('npm', ['test'], options)
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.check.json'], options)

/** Without what is for those who choose `--observe`. */
function rendered(text) {
  return text
    .replaceAll(/<% if \(observe\) \{ %>.*?(?:<% \} else \{ %>(.*?))?<% \} %>/gs, (_, otherwise = '') => otherwise)
    .replaceAll(/<%= (\w+) %>/g, (_, name) => values[name] ?? '')
}
