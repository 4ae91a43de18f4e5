/** Packs the packages as they would be published. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { atOnce } from '../at-once.ts'
import { publicPackages } from '../workspace.ts'
import { run } from './run.ts'

/** The path of each package's archive, by the package's name. */
export type Packed = Readonly<Record<string, string>>

export async function packAll(folder: string): Promise<Packed> {
  const archives = join(folder, 'packed')
  mkdirSync(archives)
  const packed: (readonly [name: string, archive: string])[] = []
  await atOnce(publicPackages(), async ({ folder: name, path, manifest }) => {
    const archive = join(archives, `${name}.tgz`)
    await run('pnpm', ['pack', '--out', archive], path)
    packed.push([manifest.name, archive])
  })
  return Object.fromEntries(packed)
}
