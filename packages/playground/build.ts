import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const folder = import.meta.dirname

/**
 * What the packages take from Node.js, for a browser: `node:crypto` by `src/node-crypto.ts`. Other modules of Node.js are imported by
 * code that the page has no use for, so nothing of them may be left.
 */
const nodeForBrowsers: Plugin = {
  name: 'node-for-browsers',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) =>
      path === 'node:crypto'
        ? { path: join(folder, 'src/node-crypto.ts'), sideEffects: false }
        : { path, external: true, sideEffects: false },
    )
  },
}

/** The playground as one module for a browser. It exports `mount`. */
export async function playgroundModule(): Promise<string> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['src/main.tsx'],
    write: false,
    bundle: true,
    metafile: true,
    plugins: [nodeForBrowsers],
    inject: [join(folder, 'src/buffer.ts')],
    // Of the sources only what is used comes along.
    conditions: ['@tallystick/source'],
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
  })
  const left = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  if (left.length > 0) throw new Error(`a browser does not have ${left.join(', ')}`)
  return outputFiles[0]?.text ?? ''
}
