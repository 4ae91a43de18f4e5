import { defineConfig, type Options } from 'tsup'

/** JavaScript only: the declarations come from `tsc -p tsconfig.build.json`. */
export const settings = {
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  dts: false,
  clean: true,
  sourcemap: true,
  external: [/^node:/],
  // The sources are shipped beside the maps, which need not carry them once more.
  esbuildOptions: (options) => {
    options.sourcesContent = false
  },
} satisfies Options

export default defineConfig(settings)
