/** Reads what is in a project's node_modules, whatever layout the package manager uses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Each installed package by name, with the names of the packages that it may depend on. */
export type Installed = ReadonlyMap<string, readonly string[]>

export function installedIn(project: string): Installed {
  const found = new Map<string, readonly string[]>()
  for (const folder of packageFolders(join(project, 'node_modules'))) {
    const { name, ...manifest } = readManifest(folder)
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), ...bringsOf(manifest)])
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

/** npm nests folders; pnpm keeps each package once below `.pnpm` and links to it. Links are not followed. */
function packageFolders(modules: string): readonly string[] {
  const store = join(modules, '.pnpm')
  const roots = foldersIn(modules).includes('.pnpm')
    ? foldersIn(store).map((entry) => join(store, entry, 'node_modules'))
    : [modules]
  return roots.flatMap((root) => below(root))
}

function below(modules: string): readonly string[] {
  return foldersIn(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const path = join(modules, name)
      return name.startsWith('@') ? foldersIn(path).map((inner) => join(path, inner)) : [path]
    })
    .flatMap((path) => [path, ...below(join(path, 'node_modules'))])
}

function foldersIn(path: string): readonly string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
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
