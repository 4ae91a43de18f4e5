import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { publicPackages, root } from '../workspace.ts'
import { optionsTable } from './options-table.ts'
import { readOptions } from './read-options.ts'

/** The README of a package, or its page in the docs, which has what is too long for the README. */
export interface Readme {
  readonly folder: string
  readonly path: string
  /** The path below the root. */
  readonly name: string
  readonly text: string
  /** The text as it has to be. */
  readonly wanted: string
  /** What its tables show. */
  readonly tables: readonly string[]
}

/** A table: from `<!-- options: NAME -->`, or `NAME of @tallystick/PACKAGE`, to `<!-- /options -->`. */
const TABLE = /^(<!-- options: (\w+)(?: of @tallystick\/([\w-]+))? -->)$[\s\S]*?^(<!-- \/options -->)$/gm

/** The READMEs and pages of all packages. */
export function readmes(): readonly Readme[] {
  const pages = publicPackages().flatMap(({ folder, path }) =>
    [join(path, 'README.md'), join(root, 'docs', `${folder}.md`)]
      .filter((each) => existsSync(each))
      .map((each) => ({ folder, path: each, text: readFileSync(each, 'utf8') })),
  )
  const wanted = pages.flatMap(({ folder, text }) =>
    [...text.matchAll(TABLE)].map(([, , name = '', other = folder]) => ({
      module: join(root, 'packages', other, 'src/index.ts'),
      name,
    })),
  )
  const tables = readOptions(wanted).map((options) => optionsTable(options))
  return pages.map((page) => {
    const names: string[] = []
    const text = page.text.replace(TABLE, (_, opening: string, name: string, _other, closing: string) => {
      names.push(name)
      return `${opening}\n\n${tables.shift()}\n\n${closing}`
    })
    return { ...page, name: relative(root, page.path), wanted: text, tables: names }
  })
}
