import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicPackages, root } from '../workspace.ts'
import { optionsTable } from './options-table.ts'
import { readOptions } from './read-options.ts'
import { type Place, replaceTables } from './replace-tables.ts'

export interface Readme {
  readonly folder: string
  readonly path: string
  readonly text: string
  /** As it has to be. */
  readonly wanted: string
  /** The tables that it has. */
  readonly places: readonly Place[]
}

const packages = join(root, 'packages')

/** The README of each package, and what it has to be. */
export function readmes(): readonly Readme[] {
  return publicPackages().map(({ folder, path: packagePath }) => {
    const path = join(packagePath, 'README.md')
    const text = readFileSync(path, 'utf8')
    const places: Place[] = []
    const wanted = replaceTables(text, folder, (place) => {
      places.push(place)
      return optionsTable(readOptions(place.folder, place.name, packages))
    })
    return { folder, path, text, wanted, places }
  })
}
