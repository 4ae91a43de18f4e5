import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findFences, sectionOf } from '../readme/fences.ts'
import { publicPackages, root } from '../workspace.ts'
import { closureOf, installedIn } from './installed.ts'
import type { Packed } from './pack.ts'
import type { Project } from './projects.ts'
import { run } from './run.ts'

/** The two usual ways of resolving modules. The compiler reads the declarations in both. */
const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', rootDir: '.', outDir: 'out' },
  bundler: { module: 'esnext', moduleResolution: 'bundler', noEmit: true },
} as const

const STRICT = {
  target: 'es2023',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  experimentalDecorators: true,
  // Our packages do not need it, but every app of `nest new` has it.
  emitDecoratorMetadata: true,
  types: ['node'],
  rewriteRelativeImportExtensions: true,
  // Skips only the compilers' own declarations. Those of packages are checked, ours and the ones that they read.
  skipDefaultLibCheck: true,
}

const examples = join(root, 'examples', 'frameworks')

export function pathOf({ name }: Project, folder: string): string {
  return join(folder, name.replaceAll(' ', '-'))
}

/** Writes the manifests. The projects of pnpm are one workspace, so that one install is enough for all of them. */
export function writeManifests(projects: readonly Project[], folder: string, packed: Packed): void {
  const ours = Object.fromEntries(Object.entries(packed).map(([name, archive]) => [name, `file:${archive}`]))
  for (const project of projects) {
    const { asked, others, manager, example } = project
    const wanted = Object.fromEntries(asked.map((name) => [name, ours[name]]))
    // None of our packages is on the registry, so their dependencies on each other come from the archives too.
    const overrides = manager === 'npm' ? { overrides: ours } : {}
    const { scripts, type = 'module' } = example ?? {}
    const manifest = { private: true, type, scripts, dependencies: { ...wanted, ...others }, ...overrides }
    mkdirSync(pathOf(project, folder))
    writeFileSync(join(pathOf(project, folder), 'package.json'), JSON.stringify(manifest))
  }
  const workspace = {
    packages: projects.filter(({ manager }) => manager === 'pnpm').map((project) => pathOf(project, '.')),
    overrides: ours,
    // Each project is resolved and linked as if it were alone.
    sharedWorkspaceLockfile: false,
    // npm would refuse such an install as well.
    strictPeerDependencies: true,
    strictDepBuilds: false,
  }
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(workspace))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
}

const INSTALL: Readonly<Record<Project['manager'], readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund', '--prefer-offline'],
  pnpm: ['install', '--prefer-offline', '--no-frozen-lockfile'],
}

/** Package managers report a slow registry in many ways, even as conflicts. So every failure is retried: a real one stays. */
const INSTALL_TRIES = 3
const WAIT_MS = 5000

export async function install(manager: Project['manager'], path: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await run(manager, INSTALL[manager], path)
      return
    } catch (error) {
      if (tried === INSTALL_TRIES) throw error
      console.error(`${error instanceof Error ? error.message : String(error)}\ntrying again`)
      rmSync(join(path, 'node_modules'), { recursive: true, force: true })
      await setTimeout(tried * WAIT_MS)
    }
  }
}

/** @throws Error that names what is missing, or was installed beside what is needed */
export function checkInstalled({ others, needed, tools = [], unwanted }: Project, path: string): void {
  const installed = installedIn(path)
  const missing = [...needed, ...tools].filter((name) => !installed.has(name))
  if (missing.length > 0) throw new Error(`these were not installed: ${missing.join(', ')}`)
  const expected = closureOf([...Object.keys(others), ...tools], installed)
  const surplus = [...installed.keys()].filter((name) => !expected.has(name) && !needed.includes(name))
  if (surplus.length > 0) throw new Error(`more was installed than is needed: ${surplus.join(', ')}`)
  const there = unwanted.filter((name) => installed.has(name))
  if (there.length > 0) throw new Error(`these must not be installed: ${there.join(', ')}`)
}

/** Writes the programs of a project. Returns the configurations of TypeScript that compile them. */
export function writePrograms(project: Project, path: string): readonly string[] {
  const { files = {}, samples, example } = project
  for (const [source, target] of Object.entries(files))
    cpSync(join(import.meta.dirname, 'programs', source), join(path, target))
  if (example !== undefined) {
    const filter = (source: string) => !source.endsWith('package.json')
    cpSync(join(examples, example.folder), path, { recursive: true, filter })
    if (example.shop !== undefined) copyFileSync(join(examples, 'shop.ts'), join(path, example.shop))
    copyFileSync(join(examples, 'databases', 'sqlite.ts'), join(path, example.database))
  }
  if (samples !== undefined) {
    const section = sectionOf(readFileSync(join(root, samples.page), 'utf8'), samples.heading)
    for (const [language, file] of Object.entries(samples.files)) {
      writeFileSync(join(path, file), findFences(section, language)[0]?.code ?? '')
    }
  }
  const { hasLooseTypes: skipLibCheck = false } = project
  const typed = programsOf(project).filter(({ file }) => file.endsWith('ts'))
  for (const { source, file } of programsOf(project))
    copyFileSync(join(import.meta.dirname, 'programs', source), join(path, file))
  return Object.entries(RESOLUTIONS).flatMap(([name, resolution]) => {
    // A bundler writes no CommonJS.
    const files = [...typed.map(({ file }) => file), ...(example?.compiled ?? [])]
    const compiled = files.filter((file) => name !== 'bundler' || !file.endsWith('.cts'))
    if (compiled.length === 0) return []
    const config = join(path, `tsconfig.${name}.json`)
    writeFileSync(
      config,
      JSON.stringify({ compilerOptions: { ...STRICT, ...resolution, skipLibCheck }, files: compiled }),
    )
    return [config]
  })
}

function programsOf({ program, commonJs }: Project) {
  const esm = { source: program, file: `program${extname(program)}` }
  return commonJs === undefined ? [esm] : [esm, { source: commonJs, file: 'program.cts' }]
}

const { resolve } = createRequire(import.meta.url)

/** One process compiles everything, because most of the declarations are the same ones. */
export async function compile(configs: readonly string[], folder: string): Promise<void> {
  const tsc = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc')
  await run(process.execPath, [tsc, '--build', '--force', '--pretty', 'false', ...configs], folder)
}

export type Environment = Readonly<Record<string, string>>

/** Runs the compiled programs, and requires the packages. */
export async function runPrograms(project: Project, path: string, environment: Environment): Promise<void> {
  for (const { file } of programsOf(project)) {
    await run(
      process.execPath,
      [file.endsWith('ts') ? join('out', file.replace(/ts$/, 'js')) : file],
      path,
      environment,
    )
  }
  const requires = project.asked.filter(hasEntry).map((name) => `require('${name}')`)
  if (requires.length > 0) await run(process.execPath, ['-e', requires.join('\n')], path)
}

/** Whether a program can import the package itself: one that is only a command has nothing to import. */
function hasEntry(name: string): boolean {
  return publicPackages().some(({ manifest }) => manifest.name === name && manifest.exports?.['.'] !== undefined)
}
