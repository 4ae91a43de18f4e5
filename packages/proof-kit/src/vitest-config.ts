import { defineConfig } from 'vitest/config'

const source = ['@tallystick/source', 'module', 'node', 'development|production']

/** For Stryker, which knows no inline projects: the tests of a package on its sources, without type tests. */
export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    // Most mutants are in tables that are read when a module loads, so all tests run for each of them: only those of
    // the part that is mutated are worth it.
    include: (process.env['MUTATION_TESTS'] ?? 'test/**/*.test.ts').split(' '),
    isolate: false,
    // A test that is only slow must not pass for one that fails; what hangs is for Stryker to end.
    testTimeout: 600_000,
  },
})
