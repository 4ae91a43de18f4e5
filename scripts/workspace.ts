/** Reads what the workspace publishes from the manifests, so that no script needs a list of its own. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = dirname(import.meta.dirname)

/** The folder into which the checks write reports, samples and results. Git ignores it. */
export const scratch = join(root, '.verify')

export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly main?: string
  readonly types?: string
  readonly typesVersions?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

export interface WorkspacePackage {
  /** The folder under `packages/`, which is the name without its scope: `core`. */
  readonly folder: string
  readonly path: string
  readonly manifest: Manifest
}

/** The packages that users install, in the order of their folders. */
export function publicPackages(): readonly WorkspacePackage[] {
  return allPackages().filter(({ manifest }) => manifest.private !== true)
}

/** The packages whose sources users get: the public ones, and those that are built into them. */
export function shippedPackages(): readonly WorkspacePackage[] {
  return allPackages().filter(({ manifest }) => manifest.private !== true || manifest.scripts?.['build'] !== undefined)
}

function allPackages(): readonly WorkspacePackage[] {
  return readdirSync(join(root, 'packages')).map((folder) => readPackage(folder))
}

export interface EntryPoint {
  /** `index` for `.`, otherwise the subpath: `openapi`. */
  readonly name: string
  /** The path of its declarations below the package's folder: those of CommonJS, which an ES module mostly has too. */
  readonly types: string
}

/** The entry points that have declarations; `./package.json` has none. */
export function entryPoints({ manifest }: Pick<WorkspacePackage, 'manifest'>): readonly EntryPoint[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    if (typeof target === 'string' || target['require'] === undefined) return []
    const types = target['require'].replace(/\.cjs$/, '.d.cts')
    return { name: subpath === '.' ? 'index' : subpath.slice('./'.length), types }
  })
}

function readPackage(folder: string): WorkspacePackage {
  const path = join(root, 'packages', folder)
  return { folder, path, manifest: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) }
}
