import { defineConfig } from 'vitest/config'

/** The configuration of a project that installs the package: without the condition of this workspace, it uses the build. */
export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['*.test.mjs'], setupFiles: ['@tallystick/testing/vitest'] },
})
