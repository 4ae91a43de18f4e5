/** Packs the packages as they would be published. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { publicPackages, root } from '../workspace.ts'
import { run } from './run.ts'

/** The path of each package's archive, by the package's name. */
export type Packed = Readonly<Record<string, string>>

export async function packAll(folder: string): Promise<Packed> {
  const archives = join(folder, 'packed')
  mkdirSync(archives)
  const names = publicPackages().map(({ manifest }) => manifest.name)
  await run('pnpm', [...names.map((name) => `--filter=${name}`), 'pack', '--out', join(archives, '%s.tgz')], root)
  return Object.fromEntries(
    names.map((name) => [name, join(archives, `${name.replace('@', '').replace('/', '-')}.tgz`)]),
  )
}
