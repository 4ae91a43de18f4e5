import { defineConfig } from 'vitest/config'

const source = ['@tallystick/source', 'module', 'node', 'development|production']

/** For Stryker, which knows no inline projects: the tests of this package on its sources, without type tests. */
export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    include: ['test/**/*.test.ts'],
    // These lint for long and decide nothing about money.
    exclude: ['test/openapi/**'],
    isolate: false,
    testTimeout: 30_000,
  },
})
