import { defineConfig } from 'tsup'
import { settings } from '../../tsup.base.ts'

/** The library, and the command as a file of its own beside it. */
export default defineConfig({
  ...settings,
  entry: ['src/index.ts', 'src/sqlite.ts', 'src/postgres.ts', 'src/command.ts', 'src/cli/main.ts'],
  splitting: true,
})
