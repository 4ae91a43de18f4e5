import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

/** The output of a program that imports a built package as `built`, as a user does. */
function printed(folder: string, program: string): string {
  const module = pathToFileURL(join(root, 'packages', folder, 'dist/index.js')).href
  const script = `import * as built from '${module}'\n${program}`
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
}

const SMALL = ['client', 'core', 'signing']

test('our packages that a merchant installs are under 600 KB, without the licence that pnpm adds to each', () => {
  const files = SMALL.flatMap((folder) =>
    globSync(['dist/**/*.*', 'package.json', 'README.md'], { cwd: join(root, 'packages', folder) }).map((file) =>
      join(root, 'packages', folder, file),
    ),
  )
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(600_000)
})

test.for(SMALL)('in %s, whose names are shortened, exports keep their names', (folder) => {
  // The bundler calls a class that uses itself `_Pan`.
  const program = `for (const [name, value] of Object.entries(built))
    if (typeof value === 'function' && value.name.replace(/^_/, '') !== name) console.log(name, value.name)`
  expect(printed(folder, program)).toBe('')
})

test('a stack trace of the client names each of its functions', () => {
  const options = `{ baseUrl: 'https://gate.example.com', login: 'shop', controlKey: 'key', endpointId: 1 }`
  const program = `try { built.createPaymentClient(${options}) } catch (error) { console.log(error.stack) }`
  const frames = printed('client', program).match(/^ +at .*\/dist\/.*$/gm) ?? []
  expect(frames.length).toBeGreaterThan(2)
  for (const frame of frames) expect(frame).toMatch(/at (?:Module\.)?\w{4,} \(/)
  expect(frames.at(-1)).toContain('createPaymentClient (')
})
