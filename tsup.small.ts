import { defineConfig } from 'tsup'
import { settings } from './tsup.base.ts'

/**
 * For what a merchant installs: no maps, and syntax without white space. Names stay, and lines are short, so that a stack
 * trace tells the function and a line that can be read.
 */
export default defineConfig({
  ...settings,
  sourcemap: false,
  esbuildOptions: (options) => {
    options.minifyWhitespace = true
    options.minifySyntax = true
    options.lineLimit = 120
  },
})
