import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publicPackages, root, type WorkspacePackage } from '../workspace.ts'

const libraries = publicPackages().filter(({ manifest }) => manifest.exports?.['.'] !== undefined)

/** The entry points, with the path of their files without an extension: `./dist/index`. */
function entriesOf({ manifest }: WorkspacePackage) {
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) =>
    typeof target === 'string' ? [] : [{ subpath, target, file: target['default']?.replace(/\.js$/, '') ?? '' }],
  )
}

/**
 * In this order. `module-sync` is Node, whether it requires or imports; `module` are bundlers and `bun` is Bun, likewise: so each has
 * one copy. `require` is left for who cannot require an ES module, such as jest.
 */
function conditionsOf(file: string): Readonly<Record<string, string>> {
  const source = `${file.replace('/dist/', '/src/')}.ts`
  const module = `${file}.js`
  const rest = { 'module-sync': module, module, bun: module, require: `${file}.cjs`, default: module }
  return { '@tallystick/source': source, ...rest }
}

interface Loaded {
  /** The names that it exports. */
  readonly imported: readonly string[]
  readonly required: readonly string[]
  /** Those that are the same value, required or imported. */
  readonly same: readonly string[]
}

/** Runs in the folder of a package, so that it is found by its name. */
const LOAD_BOTH = `
  const require = process.getBuiltinModule('module').createRequire(process.cwd() + '/package.json')
  const loaded = []
  for (const name of process.argv.slice(1)) {
    const [required, imported] = [require(name), await import(name)]
    const names = Object.keys(imported).sort()
    const same = names.filter((each) => required[each] === imported[each])
    loaded.push({ imported: names, required: Object.keys(required).sort(), same })
  }
  console.log(JSON.stringify(loaded))`

function loadBoth(path: string, names: readonly string[], ...flags: readonly string[]): readonly Loaded[] {
  const args = [...flags, '--no-warnings', '--input-type=module', '--eval', LOAD_BOTH, ...names]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: path, encoding: 'utf8' }))
}

/** The set-up files of test runners, which throw anywhere else. */
const OF_RUNNERS = ['@tallystick/testing/vitest', '@tallystick/testing/vitest-4', '@tallystick/testing/jest']

/** What these import is ES modules alone. */
const WITHOUT_COMMONJS = ['@tallystick/journal/pg-boss', '@tallystick/nest-module']

describe.for(libraries.map((each) => [each.manifest.name, each] as const))('%s', ([name, each]) => {
  const names = entriesOf(each)
    .map(({ subpath }) => `${name}${subpath.slice(1)}`)
    .filter((entry) => !OF_RUNNERS.includes(entry))

  test('[F-C26] has CommonJS and ES modules, with declarations for both, at every entry point', () => {
    const { main, types, typesVersions } = each.manifest
    const declared = entriesOf(each).map(({ subpath, target, file }) => {
      expect([subpath, ...Object.entries(target)]).toEqual([subpath, ...Object.entries(conditionsOf(file))])
      for (const built of [`${file}.d.ts`, `${file}.d.cts`]) expect(existsSync(join(each.path, built))).toBe(true)
      return [subpath, `${file}.d.cts`] as const
    })
    // For compilers that read no `exports`.
    const { '.': first, ...others } = Object.fromEntries(declared)
    expect([main, types]).toEqual([first?.replace(/\.d\.cts$/, '.cjs'), first])
    const versions = Object.entries(others).map(([subpath, file]) => [subpath.slice('./'.length), [file]])
    expect(typesVersions).toEqual(versions.length === 0 ? undefined : { '*': Object.fromEntries(versions) })
  })

  test('[F-C26] is one copy in a process that requires and imports it', () => {
    const loaded = loadBoth(each.path, names)
    expect(loaded.flatMap(({ same }) => same).length).toBeGreaterThan(0)
    for (const { imported, required, same } of loaded) expect([required, same]).toEqual([imported, imported])
  })

  test.skipIf(WITHOUT_COMMONJS.includes(name))('has the same names where an ES module cannot be required', () => {
    const required = names.filter((entry) => !WITHOUT_COMMONJS.includes(entry))
    const loaded = loadBoth(each.path, required, '--no-experimental-require-module')
    expect(loaded.length).toBeGreaterThan(0)
    for (const { imported, required } of loaded) expect(required).toEqual(imported)
  })
})

test('As CommonJS, an error of the client is of the class that core exports', () => {
  const program = `
    const { InvalidInputError } = require('@tallystick/core')
    const { createPaymentClient } = require('@tallystick/client')
    const options = { baseUrl: 'https://gate.example.com', login: 'shop', controlKey: 'key', endpointId: '1' }
    createPaymentClient(options).sale({}).then(({ error }) => {
      console.log(require.resolve('@tallystick/core').endsWith('.cjs'), error instanceof InvalidInputError)
    })`
  const args = ['--no-experimental-require-module', '--eval', program]
  const cwd = join(root, 'packages/client')
  expect(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })).toBe('true true\n')
})
