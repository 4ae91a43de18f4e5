import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checkPackage, ruleFor } from '../dependencies/check-package.ts'
import { dependencyTable } from '../dependencies/table.ts'
import { publicPackages, root, shippedPackages } from '../workspace.ts'

const packages = publicPackages()

test('every package that users get has a row in the dependency table, and every row a package', () => {
  expect(
    shippedPackages()
      .map(({ folder }) => folder)
      .sort(),
  ).toEqual(Object.keys(dependencyTable).sort())
})

describe.for(packages.map((each) => [each.manifest.name, each] as const))('%s', ([, each]) => {
  test('imports in its bundles and declarations only what its row allows', () => {
    expect(checkPackage(each, 'dist')).toEqual([])
  })

  test('depends in its manifest only on what its row allows', () => {
    const { dependencies, peerDependencies } = each.manifest
    const allowed = ruleFor(each.folder).packages
    const named = Object.keys({ ...dependencies, ...peerDependencies })
    expect(named.filter((name) => !allowed.includes(name))).toEqual([])
  })
})

test('no declaration that a user reads imports a private package', () => {
  const read = packages.flatMap(({ path }) =>
    globSync('dist/**/*.d.{ts,cts}', { cwd: path }).map((file) => join(path, file)),
  )
  expect(read.length).toBeGreaterThan(100)
  expect(read.filter((file) => readFileSync(file, 'utf8').includes("'@tallystick/durable"))).toEqual([])
})

const MERCHANT = ['client', 'core', 'signing']

test('our packages that a merchant installs are under 640 KB to download, with their sources and maps', () => {
  const bytes = packages
    .filter(({ folder }) => MERCHANT.includes(folder))
    .map(({ path }) => gzipSync(Buffer.concat(packedFiles(path).map((file) => readFileSync(file)))).length)
  expect(Math.min(...bytes)).toBeGreaterThan(50_000)
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(640_000)
})

function packedFiles(path: string): readonly string[] {
  return globSync(['{dist,src}/**/*.*', 'package.json', 'README.md'], { cwd: path }).map((file) => join(path, file))
}

test('a stack trace of the client shows the lines of its sources', () => {
  const module = pathToFileURL(join(root, 'packages/client/dist/index.js')).href
  const options = `{ baseUrl: 'https://gate.example.com', login: 'shop', controlKey: 'key', endpointId: 1 }`
  const program = `import { createPaymentClient } from '${module}'
    try { createPaymentClient(${options}) } catch (error) { console.log(error.stack) }`
  const args = ['--enable-source-maps', '--input-type=module', '--eval', program]
  const frames = execFileSync(process.execPath, args, { encoding: 'utf8' }).match(/^ +at .*client.*$/gm) ?? []
  expect(frames.length).toBeGreaterThan(2)
  for (const frame of frames) expect(frame).toMatch(/at \w{4,} \(.*\/client\/src\/[\w/-]+\.ts:\d+:\d+\)$/)
  expect(frames.at(-1)).toContain('createPaymentClient (')
})

test.for([
  ['client', 'client', 'export declare function createPaymentClient', 'export function createPaymentClient('],
  ['core', 'operations/request-inputs', 'export type RequestInput', 'export type RequestInput<'],
] as const)('in %s an editor goes from the declarations of %s to the source', ([folder, file, declared, source]) => {
  const declarations = join(root, 'packages', folder, 'dist', `${file}.d.cts`)
  const lines = readFileSync(declarations, 'utf8').split('\n')
  const line = lines.findIndex((each) => each.startsWith(declared))
  const [, mapFile = ''] = /sourceMappingURL=(.*)/.exec(lines.at(-1) ?? '') ?? []
  const map = new SourceMap(JSON.parse(readFileSync(join(dirname(declarations), mapFile), 'utf8')))
  const entry = map.findEntry(line, declared.lastIndexOf(' ') + 1)
  if (!('originalSource' in entry)) throw new Error(`the map says nothing of line ${line}`)
  const original = readFileSync(join(dirname(declarations), entry.originalSource), 'utf8').split('\n')
  expect(original[entry.originalLine]).toContain(source)
})
