import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { publicPackages, root } from '../workspace.ts'
import { optionsTable } from './options-table.ts'
import { readOptions } from './read-options.ts'
import { type Place, replaceTables } from './replace-tables.ts'

/** The README of a package, or its page in the docs, which has what is too long for the README. */
export interface Readme {
  readonly folder: string
  readonly path: string
  /** The path below the root. */
  readonly name: string
  readonly text: string
  /** The text as it has to be. */
  readonly wanted: string
  /** The tables in it. */
  readonly places: readonly Place[]
}

const packages = join(root, 'packages')

/** The READMEs and pages of all packages. */
export function readmes(): readonly Readme[] {
  return publicPackages().flatMap(({ folder, path }) => {
    const paths = [join(path, 'README.md'), join(root, 'docs', `${folder}.md`)]
    return paths.filter((each) => existsSync(each)).map((each) => readReadme(folder, each))
  })
}

function readReadme(folder: string, path: string): Readme {
  const text = readFileSync(path, 'utf8')
  const places: Place[] = []
  const wanted = replaceTables(text, folder, (place) => {
    places.push(place)
    return optionsTable(readOptions(place.folder, place.name, packages))
  })
  return { folder, path, name: relative(root, path), text, wanted, places }
}
