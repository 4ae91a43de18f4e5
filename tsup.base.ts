import { defineConfig, type Options } from 'tsup'
import { withConstants } from './scripts/constants.ts'

/** JavaScript only: the declarations come from `tsc -p tsconfig.build.json`. */
export const settings = {
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  dts: false,
  clean: true,
  sourcemap: true,
  external: [/^node:/, /^@tallystick\//],
  // The sources are shipped beside the maps, which need not carry them once more.
  esbuildOptions: (options) => {
    options.sourcesContent = false
  },
  plugins: [{ name: 'constants', renderChunk: (code, { map }) => ({ code: withConstants(code), map: map ?? null }) }],
} satisfies Options

export default defineConfig(settings)
