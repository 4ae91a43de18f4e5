import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readDoc } from '../options/doc-comment.ts'
import { optionsTable } from '../options/options-table.ts'
import { readOptions } from '../options/read-options.ts'
import { replaceTables } from '../options/replace-tables.ts'

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The table of `Options` of a package `shop`. */
function tableOf(source: string, others: Readonly<Record<string, string>> = {}): readonly string[] {
  const packages = mkdtempSync(join(tmpdir(), 'options-'))
  folders.push(packages)
  for (const [path, text] of Object.entries({ 'shop/src/index.ts': source, ...others })) {
    mkdirSync(dirname(join(packages, path)), { recursive: true })
    writeFileSync(join(packages, path), text)
  }
  return optionsTable(readOptions('shop', 'Options', packages))
    .split('\n')
    .slice(2)
}

test('an option has its type, and its default and meaning from its doc comment; required ones come first', () => {
  const rows = tableOf(`export interface Options {
    /**
     * How long it may take (gaps part 13),
     * in milliseconds. Default 1.5 s: {@link Nobody} waits longer.
     *
     * @throws never
     */
    readonly timeoutMs?: number | undefined
    /** Who asks. */
    readonly login: string
    /* no doc comment */
    readonly log?: ((line: string) => void) | undefined
    show(view: View): Page | Promise<Page>
  }`)
  expect(rows).toEqual([
    '| `login` | `string` | required | Who asks. |',
    '| `show` | `(view: View) => Page \\| Promise<Page>` | required |  |',
    '| `timeoutMs` | `number` | 1.5 s: `Nobody` waits longer | How long it may take, in milliseconds. |',
    '| `log` | `(line: string) => void` | none |  |',
  ])
})

test('inherited, picked and omitted options are found where they are declared, in other files and packages', () => {
  const rows = tableOf(`export type { Options } from './options.ts'`, {
    'shop/src/options.ts': `
      import { type Base as Common } from '@tallystick/core'
      import type { Framework } from 'framework'
      export interface Options extends Omit<Common, 'gone'>, Pick<Framework, 'version'>, Partial<Pick<Common, 'gone'>> {
        /** Its own. */
        readonly same: string
      }`,
    'core/src/index.ts': `export { type Inner as Base } from './inner.ts'`,
    'core/src/inner.ts': `export type Inner = {
      /** Not this one. */
      readonly same: number
      readonly gone: number
      readonly kept?: Pick<Whole, 'part'> & Partial<Pick<Whole, 'other'>>
    }`,
  })
  expect(rows).toEqual([
    '| `same` | `string` | required | Its own. |',
    '| `kept` | `Whole` | none |  |',
    "| `version` | `Framework['version']` | none | As in `Framework` of the framework. |",
    '| `gone` | `number` | none |  |',
  ])
})

test('options that exclude each other say which one may be given instead', () => {
  const rows = tableOf(`
    export type Options<Settings = Address> = Settings & ({ readonly id: string } | { readonly group: string; readonly size?: number })
    type Address = { readonly url: string; readonly file?: never } | { readonly file: File; readonly url?: undefined }
  `)
  expect(rows).toEqual([
    '| `url` | `string` | required, or `file` |  |',
    '| `file` | `File` | required, or `url` |  |',
    '| `id` | `string` | required, or `group` |  |',
    '| `group` | `string` | required, or `id` |  |',
    '| `size` | `number` | none |  |',
  ])
})

test('the options of a function are those of its first parameter', () => {
  const rows = tableOf(`
    interface Brand {
      /** A name for people. Default \`none\`. */
      readonly name: string
      readonly url: string
    }
    export function Options(brand: Partial<Brand> & Pick<Brand, 'url'>, other: Foreign): Brand {}`)
  expect(rows).toEqual(['| `url` | `string` | required |  |', '| `name` | `string` | `none` | A name for people. |'])
})

test('options that vary in pairs are shown side by side', () => {
  const rows = tableOf(`
    type Keys = { 'hmac': { readonly sign: Text }; 'rsa': { readonly sign: Pem; readonly other: Text } }
    type Method = keyof Keys
    type Pair<M extends Method = Method> = { [K in M]: { readonly method: K; readonly key: Keys[K]['sign'] } }[M]
    export type Options = Pair & { readonly version?: Foreign['version'] }`)
  expect(rows).toEqual([
    "| `method` | `'hmac' \\| 'rsa'` | required |  |",
    '| `key` | `Text \\| Pem` | required |  |',
    "| `version` | `Foreign['version']` | none |  |",
  ])
})

test('the parts of one option are joined, and one that can only be left out is no part', () => {
  const rows = tableOf(`
    export type Options = { readonly route?: Path } & (
      | { readonly route?: Settings; readonly journal?: undefined }
      | { readonly route?: { readonly show?: undefined } | View; readonly journal: Journal }
      | { readonly route?: { readonly show?: undefined }; readonly journal: Journal }
    )`)
  expect(rows).toEqual(['| `route` | `Path & (Settings \\| View)` | none |  |', '| `journal` | `Journal` | none |  |'])
})

test('a name that the package does not export, or that is not declared, is an error and no empty table', () => {
  expect(() => tableOf('interface Hidden {}')).toThrow('shop exports no type and no function Options')
  expect(() => tableOf('export interface Options extends Foreign {}')).toThrow('Foreign is not declared')
})

test('a default ends with its sentence, not at a dot in a number or a name', () => {
  expect(readDoc('Sends. Default: HTTP/1.1 over undici. Never twice.')).toEqual({
    meaning: 'Sends. Never twice.',
    standard: 'HTTP/1.1 over undici',
  })
  expect(readDoc('By Default nothing')).toEqual({ meaning: 'By Default nothing', standard: undefined })
})

test('only the text between the markers is rewritten, each time the same', () => {
  const markdown =
    'A\n<!-- options: One -->\nold\n<!-- /options -->\nB\n<!-- options: Two of @tallystick/core -->\n<!-- /options -->\n'
  const once = replaceTables(markdown, 'shop', ({ folder, name }) => `${folder} ${name}`)
  expect(once).toBe(
    'A\n<!-- options: One -->\n\nshop One\n\n<!-- /options -->\nB\n<!-- options: Two of @tallystick/core -->\n\ncore Two\n\n<!-- /options -->\n',
  )
  expect(replaceTables(once, 'shop', ({ folder, name }) => `${folder} ${name}`)).toBe(once)
})
