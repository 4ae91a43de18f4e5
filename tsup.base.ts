import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const { name, exports = {}, bin = {}, devDependencies }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const targets = Object.values(exports).map((each) => (typeof each === 'string' ? each : each.default))
const built = [...targets, ...Object.values(bin)].flatMap((path) => /^\.\/dist\/(.+)\.js$/.exec(path)?.[1] ?? [])

/** Private, so it is bundled into the packages that name it among their development dependencies. */
const BUNDLED = '@tallystick/durable'

/**
 * Builds the JavaScript of the package in whose folder it runs: `dist/x.js` of its manifest from `src/x.ts`. The declarations come
 * from `tsc -p tsconfig.build.json`.
 */
export default defineConfig({
  entry: Object.fromEntries(built.map((path) => [path, `src/${path}.ts`])),
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  clean: true,
  sourcemap: true,
  external: [/^node:/, name],
  // The sources of a package are published beside its maps, those of a private package only in them.
  esbuildOptions: (options) => {
    options.sourcesContent = devDependencies?.[BUNDLED] !== undefined
  },
})
