import { defineConfig } from 'vitest/config'

/** As a project has it that installs the package: no condition of this workspace, so that the build is read. */
export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['*.test.mjs'], setupFiles: ['@tallystick/testing/vitest'] },
})
