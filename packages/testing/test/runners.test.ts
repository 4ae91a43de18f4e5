import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

/**
 * The built package in the three test runners, as another project would use it. Each runs tests that pass, and two that leave
 * something unused and therefore fail, naming it. Build first.
 */

const root = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

interface Runner {
  readonly name: string
  readonly args: readonly string[]
  readonly passes: number
  /** Reads how many passed and failed from its output. */
  readonly count: (output: string) => readonly number[]
}

/** Counts the lines of the Test Anything Protocol, one for each test. */
function countInTap(output: string): readonly number[] {
  return [/^ok /gm, /^not ok /gm].map((line) => output.match(line)?.length ?? 0)
}

function countInJson(output: string): readonly number[] {
  const { numPassedTests, numFailedTests } = JSON.parse(output) as Record<'numPassedTests' | 'numFailedTests', number>
  return [numPassedTests, numFailedTests]
}

/** Runs the tests whose paths fit the pattern. */
function jest(pattern: string): readonly string[] {
  const program = join(dirname(require.resolve('jest/package.json')), 'bin/jest.js')
  return [program, '--config=runners/jest/jest.config.mjs', '--watchman=false', '--json', pattern]
}

const runners: readonly Runner[] = [
  {
    name: 'vitest',
    args: [
      join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs'),
      'run',
      '--config=runners/vitest/vitest.config.mjs',
      '--reporter=tap-flat',
    ],
    passes: 6,
    count: countInTap,
  },
  { name: 'jest', args: jest('\\.cjs$'), passes: 1, count: countInJson },
  {
    name: 'jest with specs that are ES modules',
    args: ['--experimental-vm-modules', ...jest('\\.mjs$')],
    passes: 4,
    count: countInJson,
  },
  {
    name: 'node:test',
    args: ['--test', '--test-reporter=tap', 'runners/node-test/*.test.mjs'],
    passes: 4,
    count: countInTap,
  },
]

/** The inner runner must not mistake itself for a part of the outer one. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|JEST|NODE_OPTIONS|NODE_ENV|TEST$)/.test(name))
  return Object.fromEntries(own)
}

/** How long a runner may take on a busy machine, mostly for its start. */
const PATIENCE_MS = 90_000

function run({ args }: Runner): Promise<{ readonly failed: boolean; readonly stdout: string }> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: environment(), timeout: PATIENCE_MS }
    execFile(process.execPath, args, options, (error, stdout) => {
      resolve({ failed: error !== null, stdout })
    })
  })
}

test.each(runners)(
  'works in $name, and something left unused fails its test, named',
  async (runner) => {
    const { failed, stdout } = await run(runner)
    expect(runner.count(stdout)).toEqual([runner.passes, 2])
    expect(failed).toBe(true)
    expect(stdout).toContain("fakeClient: answer('sale', accepted()) was not used")
    expect(stdout).toContain("gateway: next('capture').truncateReply()")
  },
  PATIENCE_MS,
)

test('the configuration of jest in the README is the one that runs here', async () => {
  const [, shown = ''] = /^```js\n(.*?)^```$/ms.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const inReadme: unknown = await import(`data:text/javascript,${encodeURIComponent(shown)}`)
  expect(inReadme).toEqual(await import(pathToFileURL(join(root, 'runners/jest/jest.config.mjs')).href))
})
