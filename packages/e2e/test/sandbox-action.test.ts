import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createPaymentClient } from '@tallystick/client'
import { saleInput } from '@tallystick/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** What the action `sandbox` of this repository does to a job. Reads the build. */

const root = join(import.meta.dirname, '../../..')
const action = readFileSync(join(root, 'sandbox/action.yml'), 'utf8')
const outputs = Array.from(
  action.slice(action.indexOf('\noutputs:')).matchAll(/^ {2}([a-z-]+):$/gm),
  ([, name]) => name,
)
const command = join(root, 'packages/gateway/dist/cli/main.js')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-action-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a file of the action as a runner does: inputs, and what earlier files have said, are in its environment. */
async function run(file: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const files = ['OUTPUT', 'ENV', 'STATE'].map((name) => [`GITHUB_${name}`, join(folder, name)])
  const env = { ...process.env, RUNNER_TEMP: folder, ...Object.fromEntries(files), ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'sandbox', file)], { env, cwd: folder })
  return stdout
}

function told(file: 'OUTPUT' | 'ENV' | 'STATE', prefix = ''): Record<string, string> {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
  return Object.fromEntries(lines.map((line) => [prefix + line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
}

test('the action names its files', () => {
  expect(action).toMatch(/ {2}main: start\.mjs\n {2}post: stop\.mjs\n$/)
})

test('the steps of a job can pay at its sandbox, until the job ends', async () => {
  const printed = await run('start.mjs', { INPUT_COMMAND: command, INPUT_PORT: '0' })
  const output = told('OUTPUT')
  expect(new Set(Object.keys(output))).toEqual(new Set(outputs))
  try {
    const { 'base-url': baseUrl = '', login = '', endpoint: endpointId = '', 'control-key': controlKey = '' } = output
    const client = createPaymentClient({ baseUrl, login, controlKey, endpointId })
    const { outcome } = await client.sale(saleInput())
    await client.close()
    expect(outcome).toBe('accepted')
    const { TALLYSTICK_OPERATOR_KEY: operatorKey = '', ...others } = told('ENV')
    expect(others).toEqual({
      TALLYSTICK_BASE_URL: baseUrl,
      TALLYSTICK_LOGIN: login,
      TALLYSTICK_ENDPOINT: endpointId,
      TALLYSTICK_CONTROL_KEY: controlKey,
      TALLYSTICK_SANDBOX: output['sandbox'],
    })
    for (const key of [controlKey, operatorKey]) {
      expect(key).toMatch(/^[\da-f]{64}$/)
      expect(printed.replace(`::add-mask::${key}\n`, '')).not.toContain(key)
    }
  } finally {
    const log = await run('stop.mjs', told('STATE', 'STATE_'))
    expect(log).toContain('"listening"')
    expect(log).not.toContain(output['control-key'])
  }
  await expect(fetch(output['base-url'] ?? '')).rejects.toThrow('fetch failed')
})

test('a sandbox that does not start fails the step, and says why', async () => {
  const started = run('start.mjs', { INPUT_COMMAND: command, INPUT_FAULTS: 'boom' })
  await expect(started).rejects.toThrow('--faults: there is no fault boom')
})
