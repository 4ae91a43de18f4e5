import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const source = ['@tallystick/source', 'module', 'node', 'development|production']
const foldersIn = (parent: string) => readdirSync(parent).map((name) => `${parent}/${name}`)

/** Inline projects, because only those inherit `resolve`: tests read sources; what has to read the build is named in CONTRIBUTING.md. */
const project = (root: string) => ({
  extends: true as const,
  test: {
    name: root.split('/').at(-1) ?? root,
    root,
    include: ['test/**/*.test.ts'],
  },
})

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    projects: [...foldersIn('packages'), ...foldersIn('examples'), 'scripts', 'spec'].map(project),
    // No test changes a module, so one worker serves many files: half of the time went into importing the same ones.
    isolate: false,
    // By default one core is left for the transformer, which is idle once the sources are read: a machine of two had one.
    maxWorkers: '100%',
    // Tests start hundreds of processes from the same sources. With a compile cache each after the first starts in half the time.
    env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/.verify/compiled` },
    // A busy machine is slow, and property tests are long: only what hangs takes this.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    coverage: { provider: 'v8', include: ['src/**'] },
  },
})
