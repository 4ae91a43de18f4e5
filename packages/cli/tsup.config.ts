import { defineConfig } from 'tsup'
import { settings } from '../../tsup.base.ts'

/** Only the command: the package has nothing to import. */
export default defineConfig({ ...settings, entry: ['src/runtime/main.ts'], outDir: 'dist/runtime', splitting: true })
