/**
 * Everything that has to hold. The build comes first, with quick checks at the same time, because the longest steps need it.
 * These come next, so that the last two end at about the same time. The install check mostly waits for the network and the
 * browser step for its pages, so they share the cores; the tests and the proofs use both cores.
 */
import { join } from 'node:path'
import { scratch } from '../workspace.ts'
import type { Step } from './step.ts'

const report = join(scratch, 'tests.json')
const browserReport = join(scratch, 'browser-tests.json')

/** Prints only what failed, and continues with what does not depend on it. */
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
    shows:
      'no import against the dependency table or the order of the folders, no circle of files, no clock but where it may be',
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
    shows: 'every page in a real browser: forms, 3DS, shops, accessibility, no layout shifts',
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
      'no Chromium was found on this machine; install one (`apt-get install chromium-headless-shell`) or set CHROMIUM to its path',
  },
  {
    name: 'install',
    after: ['build'],
    shows: 'each package installs alone into an empty project, where a program compiles and runs',
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
    shows: 'the published packages can be imported, with types (publint, attw)',
    command: ['turbo', 'run', 'package-lint', ...quietly],
  },
  {
    name: 'examples',
    after: ['build'],
    shows: 'the examples in the READMEs and docs compile and run',
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
