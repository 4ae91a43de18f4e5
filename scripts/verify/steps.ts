/**
 * Everything that has to hold. The build comes first, with quick checks beside it, because the longest steps read it; those come
 * next, so that two at a time end together. The install check waits for the network and the browser for its pages, so that they
 * share the cores; the tests and the proofs fill both.
 */
import { join } from 'node:path'
import { scratch } from '../workspace.ts'
import type { Step } from './step.ts'

const report = join(scratch, 'tests.json')
const browserReport = join(scratch, 'browser-tests.json')

/** Says only what failed, and goes on with what does not depend on it. */
const quietly = ['--output-logs=errors-only', '--continue=dependencies-successful']

export const steps: readonly Step[] = [
  {
    name: 'build',
    shows: 'every package builds',
    command: ['turbo', 'run', 'build', ...quietly],
  },
  {
    name: 'format',
    shows: 'formatting and lint rules (fix with `pnpm format`)',
    command: ['biome', 'check', '--error-on-warnings', '.'],
  },
  {
    name: 'unused',
    shows: 'no unused file, export or dependency',
    command: ['knip', '--no-progress'],
  },
  {
    name: 'dependencies',
    shows: 'no import against the dependency table, no clock outside the rims',
    command: ['node', 'scripts/check-dependencies.ts'],
  },
  {
    name: 'links',
    shows: 'every link of the documentation leads somewhere',
    command: ['node', 'scripts/check-links.ts'],
  },
  {
    name: 'expressions',
    shows: 'every regular expression reads any text in linear time',
    command: ['node', 'scripts/check-expressions.ts'],
  },
  {
    name: 'browser',
    after: ['build'],
    shows: 'every page in a real browser: forms, 3DS, shops, accessibility, nothing moves',
    command: [
      'vitest',
      'run',
      '--config=vitest.browser.config.ts',
      '--root=packages/e2e',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${browserReport}`,
    ],
    report: browserReport,
    skips:
      'no Chromium was found on this machine; install one (`apt-get install chromium-headless-shell`) or name it in CHROMIUM',
  },
  {
    name: 'install',
    after: ['build'],
    shows: 'each package installs alone into an empty project, compiles there and runs',
    command: ['node', 'scripts/install-check.ts'],
  },
  {
    name: 'lint',
    shows: 'lint rules that need types, such as forgotten promises',
    command: ['oxlint', '--type-aware', '--deny-warnings'],
  },
  {
    name: 'types',
    shows: 'sources, tests, type tests and scripts compile',
    command: ['pnpm', 'typecheck'],
  },
  {
    name: 'packages',
    after: ['build'],
    shows: 'what is published can be imported, with types (publint, attw)',
    command: ['turbo', 'run', 'package-lint', ...quietly],
  },
  {
    name: 'examples',
    after: ['build'],
    shows: 'the examples of the READMEs compile and run',
    command: ['node', 'scripts/readme-examples.ts'],
  },
  {
    name: 'api',
    after: ['build'],
    shows: 'the public names are those of the committed reports (rewrite with `pnpm api`)',
    command: ['node', 'scripts/api-report.ts'],
  },
  {
    name: 'tests',
    after: ['build'],
    isAlone: true,
    shows: 'unit tests, requirements, built bundles',
    command: ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    report,
  },
  {
    name: 'proofs',
    isAlone: true,
    shows: 'the proofs hold in their quick form (long form: `pnpm prove`)',
    command: ['node', 'scripts/prove.ts', '--quick'],
  },
]
