/**
 * Writes the CommonJS of the package in whose folder it runs, for its entry points and what they import. The last part of a build.
 *
 * - `dist/x.cjs` from `dist/x.js`: file by file, so that entry points share their modules here as there. Readable as it is, and
 *   without maps.
 * - `dist/x.d.cts` from `dist/x.d.ts`, which both module systems read, so that a type is the same one in both. What depends on the
 *   types of other packages is there for each, because these may differ. Maps to the sources stay.
 *
 *     node ../../scripts/commonjs.ts
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

/** These have no CommonJS that a package could require, so it brings them in `dist/bundled`. */
const ESM_ONLY = ['kysely', '@remix-run/html-template']

const SETTINGS: BuildOptions = {
  bundle: true,
  format: 'cjs',
  target: 'es2023',
  platform: 'neutral',
  // jest refuses `import()` in what it runs as CommonJS.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.resolve': 'importMetaResolve' },
}

const META_RESOLVE = `function importMetaResolve(name) {
  return require('node:url').pathToFileURL(require.resolve(name)).href
}`

/** A relative import in a declaration: what is before its path, and the path without `.ts`. */
const RELATIVE = /((?:from |import\()["'])(\.[^"']*)\.ts(?=["'])/g

/** The types of another package, but of those whose types are the same in both module systems. */
const FOREIGN = /(?:from |import\(|import |declare module )["'](?!\.|node:|@tallystick\/|zod\/)/

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly require?: string }>>
}

const { exports = {} }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const entries = Object.values(exports).flatMap((target) =>
  typeof target === 'object' && target.require !== undefined ? [join(target.require.replace(/\.cjs$/, ''))] : [],
)

await writeModules(entries)
writeDeclarations(entries)

/** Paths are those of files without their extensions, as `dist/index`. */
async function writeModules(entries: readonly string[]): Promise<void> {
  const modules = new Set(entries)
  const bundled = new Set<string>()
  for (const module of modules) {
    await build({
      ...SETTINGS,
      entryPoints: [`${module}.js`],
      outfile: `${module}.cjs`,
      footer: readFileSync(`${module}.js`, 'utf8').includes('import.meta.resolve') ? { js: META_RESOLVE } : {},
      plugins: [
        {
          name: 'file by file',
          setup: ({ onResolve }) =>
            onResolve({ filter: /./ }, ({ kind, path }) => {
              if (kind === 'entry-point') return undefined
              if (ESM_ONLY.includes(path)) {
                bundled.add(path)
                return { path: bundledAs(path), external: true }
              }
              if (!path.startsWith('.')) return { path, external: true }
              const imported = path.replace(/\.js$/, '')
              modules.add(join(module, '..', imported))
              return { path: `${imported}.cjs`, external: true }
            }),
        },
      ],
    })
  }
  for (const name of bundled) {
    await build({
      ...SETTINGS,
      entryPoints: [name],
      outfile: join('dist', bundledAs(name)),
      minify: true,
      banner: { js: `/*! ${readFileSync(join('node_modules', name, 'LICENSE'), 'utf8')}*/` },
    })
  }
}

/** Seen from the files of `dist` that import it, which are in the folder itself. */
function bundledAs(name: string): string {
  return `./bundled/${name.replace(/^.*\//, '')}.cjs`
}

function writeDeclarations(entries: readonly string[]): void {
  const read = declarationsFrom(entries)
  const isForEach = dependentOnForeign(read)
  for (const [module, { text }] of read) {
    writeFileSync(`${module}.d.cts`, text.replace(RELATIVE, '$1$2.cjs'))
    if (isForEach.has(module)) {
      const linked = text.replace(RELATIVE, (all, before: string, path: string) =>
        isForEach.has(join(module, '..', path)) ? all : `${before}${path}.cjs`,
      )
      writeFileSync(`${module}.d.ts`, linked)
    } else if (entries.includes(module)) {
      writeFileSync(`${module}.d.ts`, `export * from './${module.replace(/^.*\//, '')}.cjs'\n`)
    } else rmSync(`${module}.d.ts`)
  }
  for (const file of globSync('dist/**/*.d.ts')) {
    if (read.has(file.replace(/\.d\.ts$/, ''))) continue
    for (const unread of [file, `${file}.map`]) rmSync(unread, { force: true })
  }
}

interface Declaration {
  readonly text: string
  readonly imports: readonly string[]
}

function declarationsFrom(entries: readonly string[]): ReadonlyMap<string, Declaration> {
  const read = new Map<string, Declaration>()
  const open = [...entries]
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    const folder = join(module, '..')
    const text = readFileSync(`${module}.d.ts`, 'utf8')
    const imports = [...text.matchAll(RELATIVE)].map(([, , path = '']) => join(folder, path))
    read.set(module, { text, imports })
    open.push(...imports.filter((each) => !read.has(each)))
  }
  return read
}

function dependentOnForeign(read: ReadonlyMap<string, Declaration>): ReadonlySet<string> {
  const dependent = new Set<string>()
  for (let before = -1; before < dependent.size; ) {
    before = dependent.size
    for (const [module, { text, imports }] of read)
      if (FOREIGN.test(text) || imports.some((each) => dependent.has(each))) dependent.add(module)
  }
  return dependent
}
