import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readRecording } from '@tallystick/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fileNameOf } from '../src/traces.ts'

/** The built package in the runners, as in another project: tests that fail leave a page. Build first. */

const folder = join(import.meta.dirname, '../runners/traces')
const require = createRequire(import.meta.url)

const RUNNERS = {
  vitest: [
    join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs'),
    'run',
    `--config=${folder}/vitest.config.mjs`,
    '--reporter=default',
  ],
  jest: [
    join(dirname(require.resolve('jest/package.json')), 'bin/jest.js'),
    `--rootDir=${folder}`,
    `--config=${folder}/jest.config.mjs`,
    '--watchman=false',
  ],
  'node:test': ['--test', `${folder}/node.test.mjs`],
}

const PATIENCE_MS = 90_000

/** Runs the tests in a folder of their own. */
async function run(runner: keyof typeof RUNNERS, prepare: (cwd: string) => void = () => {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'traces-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  prepare(cwd)
  const env = Object.fromEntries(
    Object.entries({ ...process.env, NO_COLOR: '1' }).filter(
      ([name]) => !/^(?:VITEST|JEST|NODE_OPTIONS|NODE_ENV|NODE_TEST|TEST$|FORCE_COLOR)/.test(name),
    ),
  )
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, RUNNERS[runner], { cwd, env, timeout: PATIENCE_MS }, (_, out, err) => resolve(out + err))
  })
  const traces = join(cwd, 'payment-traces')
  const left = readdirSync(cwd).includes('payment-traces') ? readNames(traces) : []
  return { said, left, page: (name: string) => readFileSync(join(traces, name), 'utf8') }
}

function readNames(path: string): readonly string[] {
  try {
    return readdirSync(path).toSorted()
  } catch {
    return []
  }
}

/** The orders whose requests a page has. */
function ordersOf(page: string): readonly string[] {
  return readRecording(page).flatMap((event) => (event.type === 'reply' ? (event.clientOrderId ?? []) : []))
}

test('[F-E42] in vitest each failed test leaves a page for each of its gateways, and the failure names it', {
  timeout: PATIENCE_MS,
}, async () => {
  const { said, left, page } = await run('vitest')
  const odd = fileNameOf('two gateways: 50 % / "C:\\x" <b>, déjà vu')
  expect(odd).toMatch(/^two-gateways-50-C-x-b-déjà-vu-[\da-f]{6}$/)
  const names = [
    'a-fault-is-left-over.html',
    'a-shared-gateway-has-what-came-before.html',
    'a-test-fails.html',
    'at-the-same-time-one-fails.html',
    'at-the-same-time-one-fails-2.html',
    `${odd}.html`,
    `${odd}-2.html`,
  ]
  expect(left).toEqual(names.toSorted())
  for (const name of names) expect(said).toContain(`payment-traces/${name}`)
  expect(said).toContain("AssertionError: expected 'approved' to be 'declined'")
  expect(ordersOf(page('a-test-fails.html'))).toEqual(['inv-1'])
  expect([page(`${odd}.html`), page(`${odd}-2.html`)].map(ordersOf)).toEqual([['inv-1'], ['inv-2']])
  const shared = page('a-shared-gateway-has-what-came-before.html')
  expect(ordersOf(shared)).toEqual(['before', 'within'])
  const within = readRecording(shared).find((event) => event.type === 'request' && event.form?.includes('=within&'))
  const [, after] = /data-after="(\d+)"/.exec(shared) ?? []
  expect(Number(after)).toBeGreaterThan(0)
  expect(Number(after)).toBeLessThan(within?.id ?? 0)
  // The gateways that ran at the same time: nobody knows which test has started which.
  const concurrent = ['at-the-same-time-one-fails.html', 'at-the-same-time-one-fails-2.html']
  expect(concurrent.flatMap((name) => ordersOf(page(name))).toSorted()).toEqual(['one', 'other'])
  // Both halves are in it.
  expect(readRecording(page('a-test-fails.html')).map(({ type }) => type)).toContain('call')
})

test('[F-E42] in jest and node:test too', { timeout: 2 * PATIENCE_MS }, async () => {
  const jest = await run('jest', (cwd) => writeFileSync(join(cwd, 'package.json'), '{}'))
  expect(jest.left).toEqual(['a-fault-is-left-over.html', 'a-test-fails.html'])
  for (const name of jest.left) expect(jest.said).toContain(`payment-traces/${name}`)
  const node = await run('node:test')
  expect(node.left).toEqual(['a-shop-fails.html'])
  expect(node.said).toContain('payment-traces/a-shop-fails.html')
})

test('[F-E42] where nothing can be written, the failure says so, and nothing else fails', {
  timeout: PATIENCE_MS,
}, async () => {
  const { said, left } = await run('node:test', (cwd) => writeFileSync(join(cwd, 'payment-traces'), 'a file'))
  expect(left).toEqual([])
  expect(said).toMatch(/What the gateway recorded cannot be written to payment-traces \(E\w+\)/)
  expect(said).toContain("'approved'")
  expect(said).toMatch(/pass 1\n.*fail 1/)
})

describe('[F-E42] the name of a file', () => {
  test.for([
    ['a card is declined', 'a-card-is-declined'],
    ['v1.2 of a card', 'v1.2-of-a-card'],
  ])('of “%s” is its title', ([title = '', name]) => {
    expect(fileNameOf(title)).toBe(name)
  })

  test.for(['../../etc/passwd', 'con', '', '...', 'a/b', 'a b/', '支'.repeat(300), '\u0000', '-rf'])(
    'of “%s” is safe, short and its own',
    (title) => {
      const name = fileNameOf(title)
      expect(name).toMatch(/^[\p{L}\p{N}-][\p{L}\p{M}\p{N}.-]*-[\da-f]{6}$/u)
      expect(Buffer.byteLength(`${name}-10-abcdef.html`)).toBeLessThanOrEqual(255)
      expect(fileNameOf(`${title}!`)).not.toBe(name)
    },
  )
})
