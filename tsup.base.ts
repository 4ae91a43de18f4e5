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
} satisfies Options

export default defineConfig(settings)
