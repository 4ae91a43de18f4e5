/** The packages as they would be published. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { publicPackages } from '../workspace.ts'
import { run } from './run.ts'

/** Where the archive of each package is, by the package's name. */
export type Packed = Readonly<Record<string, string>>

export function packAll(folder: string): Packed {
  const archives = join(folder, 'packed')
  mkdirSync(archives)
  const packed = publicPackages().map(({ folder: name, path, manifest }) => {
    const archive = join(archives, `${name}.tgz`)
    run('pnpm', ['pack', '--out', archive], path)
    return [manifest.name, archive] as const
  })
  return Object.fromEntries(packed)
}
