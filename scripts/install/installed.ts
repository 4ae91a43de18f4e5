/** Finds what is installed for a project, whatever layout the package manager uses. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Each installed package by name, with the names of the packages that it may depend on. */
export type Installed = ReadonlyMap<string, readonly string[]>

/**
 * Starts at the project's node_modules. npm nests further ones below packages; pnpm links to packages in a store below `.pnpm`,
 * each with its dependencies beside it. A project of a workspace so has what it would have alone.
 */
export function installedIn(project: string): Installed {
  const found = new Map<string, readonly string[]>()
  const seen = new Set<string>()
  const open = [join(realpathSync(project), 'node_modules')]
  for (let modules = open.pop(); modules !== undefined; modules = open.pop()) {
    if (seen.has(modules)) continue
    seen.add(modules)
    for (const folder of packageFolders(modules)) {
      const { name, ...manifest } = readManifest(folder)
      if (name !== undefined) found.set(name, [...(found.get(name) ?? []), ...bringsOf(manifest)])
      open.push(modulesAround(folder), join(folder, 'node_modules'))
    }
  }
  return found
}

/** The names, and everything that they depend on, directly or not. */
export function closureOf(names: readonly string[], installed: Installed): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name) || !installed.has(name)) continue
    reached.add(name)
    open.push(...(installed.get(name) ?? []))
  }
  return reached
}

function bringsOf({ dependencies, optionalDependencies, peerDependencies }: Manifest): readonly string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
}

/** The real paths of the packages, links followed. */
function packageFolders(modules: string): readonly string[] {
  return entriesOf(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? entriesOf(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
    )
    .map((name) => realpathSync(join(modules, name)))
}

/** The node_modules that a package is in, which with pnpm holds its dependencies too. */
function modulesAround(folder: string): string {
  const parent = dirname(folder)
  return parent.endsWith('node_modules') ? parent : dirname(parent)
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function readManifest(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}
