import { defineConfig } from 'tsup'
import { settings } from '../../tsup.base.ts'

/** The library, and the command as a file of its own beside it. */
export default defineConfig({
  ...settings,
  entry: ['src/index.ts', 'src/postgres.ts', 'src/pg-boss.ts', 'src/cli/main.ts'],
  splitting: true,
})
