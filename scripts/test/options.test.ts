import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { optionsTable, readDoc } from '../options/options-table.ts'
import { readOptions } from '../options/read-options.ts'

const folder = mkdtempSync(join(tmpdir(), 'options-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const module = join(folder, 'index.ts')
writeFileSync(
  module,
  `interface Base {
    /** Not this one. */
    readonly same: string
    readonly gone: number
    readonly kept?: Pick<View, 'part'> & Partial<Pick<View, 'other'>>
  }
  interface View { readonly part: 1; readonly other: 2 }
  export interface Plain {
    /**
     * How long it may take (gaps part 13),
     * in milliseconds. Default 1.5 s: {@link View} waits longer.
     *
     * @throws never
     */
    readonly timeoutMs?: number | undefined
    readonly log?: ((line: string) => void) | undefined
    /** Who asks. */
    readonly login: string
    show(view: View): View | Promise<View>
  }
  export interface Inherited extends Omit<Base, 'gone'>, Partial<Pick<Base, 'gone'>> {
    /** Its own. */
    readonly same: string
  }
  type Address = { readonly url: string; readonly file?: never } | { readonly file: View; readonly url?: undefined }
  export type Excluding<Settings = Address> = Settings & ({ readonly id: string } | { readonly group: string; readonly size?: number })
  export function taken(brand: Partial<Plain> & Pick<Plain, 'login'>, other: Base): Base
  type Keys = { 'hmac': { readonly sign: string }; 'rsa': { readonly sign: View } }
  type Pair<M extends keyof Keys = keyof Keys> = { [K in M]: { readonly method: K; readonly key: Keys[K]['sign'] } }[M]
  export type Paired = Pair
  export type Joined = { readonly route?: Base } & (
    | { readonly route?: Plain; readonly journal?: undefined }
    | { readonly route?: View; readonly journal: string }
    | { readonly route?: { readonly show?: undefined }; readonly journal: string }
  )`,
)

const names = ['Plain', 'Inherited', 'Excluding', 'taken', 'Paired', 'Joined']
const tables = new Map(
  readOptions(names.map((name) => ({ module, name }))).map((options, at) => [
    names[at],
    optionsTable(options).split('\n').slice(2),
  ]),
)

test.for([
  [
    'an option has its type, and its default and meaning from its doc comment; required ones come first',
    'Plain',
    [
      '| `login` | `string` | required | Who asks. |',
      '| `show` | `(view: View) => View \\| Promise<View>` | required |  |',
      '| `timeoutMs` | `number` | 1.5 s: `View` waits longer | How long it may take, in milliseconds. |',
      '| `log` | `(line: string) => void` | none |  |',
    ],
  ],
  [
    'inherited, picked and omitted options are found where they are declared',
    'Inherited',
    ['| `same` | `string` | required | Its own. |', '| `kept` | `View` | none |  |', '| `gone` | `number` | none |  |'],
  ],
  [
    'options that exclude each other say which one may be given instead',
    'Excluding',
    [
      '| `url` | `string` | required, or `file` |  |',
      '| `id` | `string` | required, or `group` |  |',
      '| `group` | `string` | required, or `id` |  |',
      '| `file` | `View` | required, or `url` |  |',
      '| `size` | `number` | none |  |',
    ],
  ],
  [
    'the options of a function are those of its first parameter',
    'taken',
    [
      '| `login` | `string` | required | Who asks. |',
      '| `timeoutMs` | `number` | 1.5 s: `View` waits longer | How long it may take, in milliseconds. |',
      '| `log` | `(line: string) => void` | none |  |',
      '| `show` | `(view: View) => View \\| Promise<View>` | none |  |',
    ],
  ],
  [
    'options that vary in pairs are shown side by side',
    'Paired',
    ["| `method` | `'hmac' \\| 'rsa'` | required |  |", '| `key` | `string \\| View` | required |  |'],
  ],
  [
    'the parts of one option are joined, and one that can only be left out is no part',
    'Joined',
    ['| `route` | `Base & (Plain \\| View)` | none |  |', '| `journal` | `string` | none |  |'],
  ],
] as const)('%s', ([, name, rows]) => {
  expect(tables.get(name)).toEqual(rows)
})

test('a name that the module does not export is an error and no empty table', () => {
  expect(() => readOptions([{ module, name: 'View' }])).toThrow('exports no type and no function View')
})

test('a default ends with its sentence, not at a dot in a number or a name', () => {
  expect(readDoc('Sends. Default: HTTP/1.1 over undici. Never twice.')).toEqual({
    meaning: 'Sends. Never twice.',
    standard: 'HTTP/1.1 over undici',
  })
  expect(readDoc('By Default nothing')).toEqual({ meaning: 'By Default nothing', standard: undefined })
})
