import { defineConfig } from 'tsup'
import { settings } from './tsup.base.ts'

/**
 * For what a merchant installs: no maps, each package imported once in a file, short syntax. `scripts/shorten-names.ts` writes the
 * result anew, without white space.
 */
export default defineConfig({
  ...settings,
  sourcemap: false,
  treeshake: true,
  esbuildOptions: (options) => {
    options.minifySyntax = true
  },
})
