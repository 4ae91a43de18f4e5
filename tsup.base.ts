import { defineConfig } from 'tsup'

/** JavaScript only: the declarations come from `tsc -p tsconfig.build.json`. */
export default defineConfig({
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  dts: false,
  clean: true,
  sourcemap: true,
  external: [/^node:/],
})
