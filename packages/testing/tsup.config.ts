import { defineConfig } from 'tsup'
import { settings } from '../../tsup.base.ts'

/** The library, and a file to set up each test runner with; they share what was scripted. */
export default defineConfig({
  ...settings,
  entry: ['src/index.ts', 'src/vitest.ts', 'src/vitest-4.ts', 'src/jest.ts'],
  splitting: true,
})
