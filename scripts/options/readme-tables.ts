import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { publicPackages, root } from '../workspace.ts'
import { optionsTable } from './options-table.ts'
import { readOptions } from './read-options.ts'
import { type Place, replaceTables } from './replace-tables.ts'

/** The README of a package, or the page of the docs that has what is too long for it. */
export interface Readme {
  readonly folder: string
  readonly path: string
  /** The path below the root. */
  readonly name: string
  readonly text: string
  /** As it has to be. */
  readonly wanted: string
  /** The tables that it has. */
  readonly places: readonly Place[]
}

const packages = join(root, 'packages')

/** Those of each package, and what they have to be. */
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
