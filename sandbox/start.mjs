// Starts a sandbox that lives until the end of the job. Node alone, because nothing is installed before it.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const { RUNNER_TEMP = '.', GITHUB_OUTPUT, GITHUB_ENV, GITHUB_STATE } = process.env
const input = (name) => process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? ''

const folder = join(RUNNER_TEMP, 'tallystick-sandbox')
mkdirSync(folder, { recursive: true })
const keys = { TALLYSTICK_CONTROL_KEY: newKey(), TALLYSTICK_OPERATOR_KEY: newKey() }
const options = ['port', 'faults', 'fault-seed'].flatMap((name) =>
  input(name) === '' ? [] : [`--${name}`, input(name)],
)
const log = join(folder, 'log')
const out = openSync(log, 'w')
const gateway = spawn(process.execPath, [command(), '--sandbox', ...options], {
  env: { ...process.env, ...keys },
  stdio: ['ignore', out, out],
  detached: true,
})
tell(GITHUB_STATE, { pid: gateway.pid, log })
const { publicUrl, sandbox } = await listening()
gateway.unref()

const merchant = { TALLYSTICK_BASE_URL: publicUrl, TALLYSTICK_LOGIN: 'test', TALLYSTICK_ENDPOINT: '1', ...keys }
const { origin } = new URL(sandbox)
tell(GITHUB_ENV, { ...merchant, TALLYSTICK_SANDBOX: origin })
tell(GITHUB_OUTPUT, {
  'base-url': publicUrl,
  login: merchant.TALLYSTICK_LOGIN,
  endpoint: merchant.TALLYSTICK_ENDPOINT,
  'control-key': keys.TALLYSTICK_CONTROL_KEY,
  sandbox: origin,
})
console.log(`a sandbox at ${publicUrl}; the port for tests is ${origin}`)

/** Hidden in the log of the job from here on. */
function newKey() {
  const key = randomBytes(32).toString('hex')
  console.log(`::add-mask::${key}`)
  return key
}

function command() {
  if (input('command') !== '') return input('command')
  const wanted = `@tallystick/gateway@${input('version')}`
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', wanted]
  execFileSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' })
  return join(folder, 'node_modules', '@tallystick', 'gateway', 'dist', 'cli', 'main.js')
}

/** What the log says once it listens. */
async function listening() {
  for (let tried = 0; tried < 600 && gateway.exitCode === null; tried++) {
    const lines = readFileSync(log, 'utf8').split('\n')
    const line = lines.find((each) => each.startsWith('{') && each.includes('"listening"'))
    if (line !== undefined) return JSON.parse(line)
    await setTimeout(100)
  }
  gateway.kill()
  throw new Error(`the sandbox did not start\n${readFileSync(log, 'utf8')}`)
}

function tell(file, values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  if (file !== undefined) appendFileSync(file, lines.join(''))
}
