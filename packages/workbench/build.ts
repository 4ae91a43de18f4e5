// Builds the page into dist/files.js: the text of each file that the gateway serves.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { wireNames } from './src/wire-names.ts'

const folder = import.meta.dirname
const { outputFiles } = await build({
  absWorkingDir: folder,
  entryPoints: [
    { in: 'src/main.tsx', out: 'workbench' },
    { in: 'src/style.css', out: 'workbench' },
  ],
  outdir: 'dist',
  write: false,
  bundle: true,
  // What it takes from core are tables: a few lines of the sources, where the built file would come whole.
  conditions: ['@tallystick/source'],
  define: { WIRE_NAMES: JSON.stringify(wireNames()) },
  minify: true,
  charset: 'ascii',
  format: 'iife',
  target: 'es2023',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  // The gateway is published with Preact in it.
  banner: { js: `/*! ${readFileSync(join(folder, 'node_modules/preact/LICENSE'), 'utf8')}*/` },
})

function built(ending: string): string {
  const file = outputFiles.find(({ path }) => path.endsWith(ending))
  if (file === undefined) throw new Error(`esbuild wrote no ${ending}`)
  return file.text
}

const files = {
  '/': { contentType: 'text/html; charset=utf-8', text: readFileSync(join(folder, 'src/index.html'), 'utf8') },
  '/workbench.js': { contentType: 'text/javascript; charset=utf-8', text: built('.js') },
  '/workbench.css': { contentType: 'text/css; charset=utf-8', text: built('.css') },
}
mkdirSync(join(folder, 'dist'), { recursive: true })
writeFileSync(join(folder, 'dist/files.js'), `export const files = ${JSON.stringify(files)}\n`)
