import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

/** The folder of this shop. */
const HERE = new URL('.', import.meta.url).href

/**
 * From here on Node loads the files of this folder through esbuild. Without that, Node only strips the types of TypeScript and
 * stops at a decorator. An app of yours has Nest's compiler or tsx for that, and does not need this file.
 */
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(HERE)) return nextLoad(url, context)
    return { format: 'module', source: withoutDecorators(url), shortCircuit: true }
  },
})

function withoutDecorators(url: string): string {
  const sourcefile = fileURLToPath(url)
  const { code } = transformSync(readFileSync(sourcefile, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    sourcefile,
    sourcemap: 'inline',
    // The decorators of TypeScript, which Nest uses. No type metadata: everything is injected by a named token.
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  })
  return code
}
