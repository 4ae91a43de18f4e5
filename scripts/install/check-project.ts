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

/** The two usual ways of resolving modules. Each compiler reads the declarations in both. */
const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const
const COMPILERS = ['typescript', 'typescript-5']

const STRICT = {
  target: 'es2023',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  experimentalDecorators: true,
  // Our packages do not need it, but every app of `nest new` has it.
  emitDecoratorMetadata: true,
  types: ['node'],
  // Skips only the compilers' own declarations. Those of packages are checked, ours and the ones that they read.
  skipDefaultLibCheck: true,
  outDir: 'out',
}

/** @throws Error that says what is wrong */
export async function checkProject(project: Project, folder: string, packed: Packed): Promise<void> {
  const path = join(folder, project.name.replaceAll(' ', '-'))
  mkdirSync(path)
  writeManifest(project, path, packed)
  await install(project, path)
  nothingElseCameAlong(project, path)
  if (project.imported !== undefined) {
    writeManifest({ ...project, asked: [...project.asked, ...project.imported] }, path, packed)
    await install(project, path)
    nothingElseCameAlong(project, path)
  }
  const files = writePrograms(project, path)
  const typed = files.filter((file) => file.endsWith('ts'))
  for (const compiler of COMPILERS) await compile(compiler, typed, path)
  for (const file of files)
    await run(process.execPath, [typed.includes(file) ? join('out', file.replace(/ts$/, 'js')) : file], path)
  for (const name of project.asked.filter(hasEntry)) await run(process.execPath, ['-e', `require('${name}')`], path)
}

/** Whether a program can import the package itself: one that is only a command has nothing to import. */
function hasEntry(name: string): boolean {
  return publicPackages().some(({ manifest }) => manifest.name === name && manifest.exports?.['.'] !== undefined)
}

function writeManifest({ asked, others, manager }: Project, path: string, packed: Packed): void {
  const ours = Object.fromEntries(Object.entries(packed).map(([name, archive]) => [name, `file:${archive}`]))
  const wanted = Object.fromEntries(asked.map((name) => [name, ours[name]]))
  // None of our packages is on the registry, so their dependencies on each other come from the archives too.
  const overrides = manager === 'npm' ? { overrides: ours } : {}
  const manifest = { private: true, type: 'module', dependencies: { ...wanted, ...others }, ...overrides }
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest))
  if (manager === 'pnpm') writeFileSync(join(path, 'pnpm-workspace.yaml'), JSON.stringify({ overrides: ours }))
}

const INSTALL: Readonly<Record<Project['manager'], readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund', '--prefer-offline'],
  // In CI pnpm would refuse the second install, which adds dependencies.
  pnpm: ['install', '--prefer-offline', '--no-frozen-lockfile', '--config.strict-dep-builds=false'],
}

/** Package managers report a slow registry in many ways, even as conflicts. So every failure is retried: a real one stays. */
const INSTALL_TRIES = 3
const WAIT_MS = 5000

async function install({ manager }: Project, path: string): Promise<void> {
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

function nothingElseCameAlong({ others, needed, tools = [], unwanted }: Project, path: string): void {
  const installed = installedIn(path)
  const missing = [...needed, ...tools].filter((name) => !installed.has(name))
  if (missing.length > 0) throw new Error(`these were not installed: ${missing.join(', ')}`)
  const expected = closureOf([...Object.keys(others), ...tools], installed)
  const surplus = [...installed.keys()].filter((name) => !expected.has(name) && !needed.includes(name))
  if (surplus.length > 0) throw new Error(`more was installed than is needed: ${surplus.join(', ')}`)
  const there = unwanted.filter((name) => installed.has(name))
  if (there.length > 0) throw new Error(`these must not be installed: ${there.join(', ')}`)
}

const { resolve } = createRequire(import.meta.url)

function writePrograms({ program, commonJs, files = {}, samples }: Project, path: string): readonly string[] {
  for (const [source, target] of Object.entries(files))
    cpSync(join(import.meta.dirname, 'programs', source), join(path, target))
  if (samples !== undefined) {
    const section = sectionOf(readFileSync(join(root, samples.page), 'utf8'), samples.heading)
    for (const [language, file] of Object.entries(samples.files)) {
      writeFileSync(join(path, file), findFences(section, language)[0]?.code ?? '')
    }
  }
  return [program, ...(commonJs === undefined ? [] : [commonJs])].map((source) => {
    const file = `program${extname(source)}`
    copyFileSync(join(import.meta.dirname, 'programs', source), join(path, file))
    return file
  })
}

async function compile(compiler: string, files: readonly string[], path: string): Promise<void> {
  const tsc = join(dirname(resolve(`${compiler}/package.json`)), 'bin', 'tsc')
  for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
    const config = join(path, `tsconfig.${name}.json`)
    // A bundler writes no CommonJS.
    const compiled = name === 'bundler' ? files.filter((file) => !file.endsWith('.cts')) : files
    if (compiled.length === 0) continue
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...STRICT, ...resolution }, files: compiled }))
    await run(process.execPath, [tsc, '-p', config, '--pretty', 'false'], path)
  }
}
