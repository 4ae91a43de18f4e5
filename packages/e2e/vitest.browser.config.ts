import { defineConfig } from 'vitest/config'

const source = ['@tallystick/source', 'module', 'node', 'development|production']

/**
 * The pages in a real browser: a project of its own, because it needs a Chromium that the machine has. Without one its
 * tests are skipped, and `npm test` says how many.
 */
export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    name: 'browser',
    include: ['browser/**/*.test.ts', '../../examples/*/browser/**/*.test.ts'],
    isolate: false,
    // Each worker has a browser of its own, and half of the time a page is waited for.
    maxWorkers: 2,
    // A browser that starts on a busy machine takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
