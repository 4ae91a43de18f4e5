/**
 * Builds the container image and tries it as it is meant to be run: not as root, on a read-only file system, without capabilities.
 * A sandbox with its workbench is healthy, pays, and ends when it is told to; a gateway keeps its orders in a volume; three gateways
 * share a PostgreSQL; the module for Testcontainers starts one. Validates the compose files if the engine can compose.
 *
 * Needs Docker or Podman on Linux: the containers are in the network of this machine. Build first.
 *
 *     node scripts/container-check.ts
 *     CONTAINER_ENGINE=podman node scripts/container-check.ts
 *     CONTAINER_IMAGE=tallystick node scripts/container-check.ts     this image, without building one
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createPaymentClient } from '@tallystick/client'
import { testDatabase } from '@tallystick/test-postgres'
import { saleInput } from '@tallystick/testing'
import { packAll } from './install/pack.ts'
import { run } from './install/run.ts'
import { root } from './workspace.ts'

const ENGINE = process.env['CONTAINER_ENGINE'] ?? 'docker'
const { CONTAINER_IMAGE } = process.env
const IMAGE = CONTAINER_IMAGE ?? 'tallystick'
const IS_PODMAN = ENGINE.includes('podman')
const CONFINED = [
  '--network=host',
  '--read-only',
  // Podman leaves /tmp and others writable otherwise.
  ...(IS_PODMAN ? ['--read-only-tmpfs=false'] : []),
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
]
/** The user of the image. */
const USER = 1000

const BUILD_MS = 1_800_000
const engine = (...args: readonly string[]) => run(ENGINE, args, root, {}, BUILD_MS)

const folder = mkdtempSync(join(tmpdir(), 'tallystick-container-'))
const started: string[] = []
try {
  if (CONTAINER_IMAGE === undefined) await engine('build', '--file', 'container/Dockerfile', '--tag', IMAGE, '.')
  say(`the image has ${Math.round(Number(await engine('image', 'inspect', '--format', '{{.Size}}', IMAGE)) / 1e6)} MB`)
  await validateCompositions()
  await trySandbox()
  await tryVolume()
  await tryThree()
  await tryTestcontainers()
} finally {
  for (const name of started) await engine('rm', '--force', '--volumes', name).catch(() => {})
  rmSync(folder, { recursive: true, force: true })
}

async function validateCompositions(): Promise<void> {
  const environment = { POSTGRES_PASSWORD: 'a', TALLYSTICK_DB_PASSWORD: 'b', TALLYSTICK_OPERATOR_KEY: 'c' }
  const isThere = await engine('compose', 'version').then(
    () => true,
    () => false,
  )
  if (!isThere) return say(`NOT RUN, as ${ENGINE} cannot compose: the compose files`)
  for (const file of ['compose.yaml', 'compose.postgres.yaml'])
    await run(ENGINE, ['compose', '--file', join('container', file), 'config', '--quiet'], root, environment)
  say('the compose files are valid')
}

async function trySandbox(): Promise<void> {
  const controlKey = newKey()
  const { name, port, log } = await start(['--sandbox'], ['--env', `TALLYSTICK_CONTROL_KEY=${controlKey}`])
  const inside = (program: string) => engine('exec', name, 'node', '--eval', program)
  requireSame('its user', (await inside('console.log(process.getuid())')).trim(), String(USER))
  const tried = await inside(`
    for (const path of ['/opt/tallystick/x', '/var/lib/tallystick/x', '/tmp/x'])
      try { require('node:fs').writeFileSync(path, ''); console.log(path) } catch {}
    for (const path of ['/usr/local/bin/npm', '/usr/local/lib/node_modules']) if (require('node:fs').existsSync(path)) console.log(path)`)
  requireSame('what can be written, or installs', tried, '')
  await healthy(name)
  await pay(port, { login: 'test', endpointId: '1', controlKey })
  const page = await fetch(`${new URL(log['workbench'] ?? '').origin}/`)
  requireSame('the workbench', [page.status, (await page.text()).includes('<script')], [200, true])
  await engine('stop', name)
  requireSame('how it ended', (await engine('inspect', '--format', '{{.State.ExitCode}}', name)).trim(), '0')
  say('a sandbox is confined, healthy, pays, has its workbench, and ends when it is told to')
}

/** With a file of its own and keys from elsewhere, as `compose.yaml` has it. */
async function tryVolume(): Promise<void> {
  const merchant = { login: 'shop', endpointId: '253', controlKey: newKey() }
  const secrets = await secretsOf(merchant, { store: '/var/lib/tallystick/gateway.db' })
  const volumes = ['--volume', `${secrets}:/run/tallystick:ro`, '--volume', `tallystick-check:/var/lib/tallystick`]
  try {
    const first = await start(['--config', '/run/tallystick/gateway.json'], volumes)
    const clientOrderId = await pay(first.port, merchant)
    await engine('rm', '--force', first.name)
    const second = await start(['--config', '/run/tallystick/gateway.json'], volumes)
    requireSame('the order afterwards', await statusAt(second.port, merchant, clientOrderId), 'approved')
    await engine('rm', '--force', second.name)
  } finally {
    await engine('volume', 'rm', '--force', 'tallystick-check')
  }
  say('a gateway that was killed has its orders in the volume')
}

async function tryThree(): Promise<void> {
  const merchant = { login: 'shop', endpointId: '253', controlKey: newKey() }
  const { url, close } = await testDatabase()
  try {
    const secrets = await secretsOf(merchant, { store: url, allowPlainConnection: true })
    const volumes = ['--volume', `${secrets}:/run/tallystick:ro`]
    const nodes = []
    for (let node = 0; node < 3; node++) nodes.push(await start(['--config', '/run/tallystick/gateway.json'], volumes))
    const [first, ...others] = nodes
    if (first === undefined) throw new Error('nothing was started')
    const clientOrderId = await pay(first.port, merchant)
    await engine('rm', '--force', first.name)
    for (const { port } of others)
      requireSame('the order at another', await statusAt(port, merchant, clientOrderId), 'approved')
    for (const { name } of others) await engine('rm', '--force', name)
  } finally {
    await close()
  }
  say('three gateways share a PostgreSQL: an order of one that was killed is known to the others')
}

/** As in a project of its own: the module, Testcontainers and our client. */
async function tryTestcontainers(): Promise<void> {
  const project = join(folder, 'testcontainers')
  mkdirSync(project)
  const packed = await packAll(project)
  const ours = Object.fromEntries(Object.entries(packed).map(([name, file]) => [name, `file:${file}`]))
  const dependencies = {
    '@tallystick/client': ours['@tallystick/client'],
    '@tallystick/testing': ours['@tallystick/testing'],
    testcontainers: '12.2.0',
  }
  const manifest = { private: true, type: 'module', dependencies, overrides: ours }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  copyFileSync(join(root, 'container/testcontainers.ts'), join(project, 'testcontainers.ts'))
  writeFileSync(
    join(project, 'program.ts'),
    `import { createPaymentClient } from '@tallystick/client'
    import { saleInput } from '@tallystick/testing'
    import { startTallystick } from './testcontainers.ts'
    const sandbox = await startTallystick('${IMAGE}')
    const client = createPaymentClient(sandbox.merchant)
    const { outcome } = await client.sale(saleInput())
    const page = await fetch(sandbox.sandbox)
    await client.close()
    await sandbox.stop()
    console.log(outcome, page.status)`,
  )
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], project)
  const printed = await run(process.execPath, ['program.ts'], project)
  requireSame('what Testcontainers has started', printed.trim(), 'accepted 200')
  say('Testcontainers starts a sandbox, which pays')
}

interface Credentials {
  readonly login: string
  readonly endpointId: string
  readonly controlKey: string
}

/** A folder that the image's user alone may read. */
async function secretsOf({ login, endpointId, controlKey }: Credentials, settings: object): Promise<string> {
  const secrets = mkdtempSync(join(folder, 'secrets-'))
  const configuration = {
    acquirer: 'simulator',
    // Containers in one network cannot share a port.
    metricsPort: 0,
    vaultKeyFile: 'vault.keys',
    operatorKeyFile: 'operator.key',
    merchants: [{ login, controlKey, endpoints: [{ id: Number(endpointId) }] }],
    ...settings,
  }
  writeFileSync(join(secrets, 'gateway.json'), JSON.stringify(configuration))
  const command = join(root, 'packages/gateway/dist/cli/main.js')
  await run(process.execPath, [command, 'keys', join(secrets, 'vault.keys')], root)
  await run(process.execPath, [command, 'key', join(secrets, 'operator.key')], root)
  for (const path of [secrets, ...['gateway.json', 'vault.keys', 'operator.key'].map((each) => join(secrets, each))]) {
    chmodSync(path, path === secrets ? 0o700 : 0o600)
    if (process.getuid?.() === 0) chownSync(path, USER, USER)
  }
  return secrets
}

interface Running {
  readonly name: string
  readonly port: number
  /** The line that it logs once it listens. */
  readonly log: Readonly<Record<string, string>>
}

async function start(command: readonly string[], options: readonly string[]): Promise<Running> {
  const name = `tallystick-check-${started.length + 1}-${process.pid}`
  const port = await freePort()
  started.push(name)
  const health = ['--env', `HEALTH=http://127.0.0.1:${port}/readyz`]
  await engine(
    'run',
    '--detach',
    '--name',
    name,
    ...CONFINED,
    ...health,
    ...options,
    IMAGE,
    ...command,
    '--port',
    `${port}`,
  )
  for (let tried = 0; tried < 300; tried++) {
    const lines = (await engine('logs', name)).split('\n')
    const line = lines.find((each) => each.startsWith('{') && each.includes('"listening"'))
    if (line !== undefined) return { name, port, log: JSON.parse(line) }
    await setTimeout(200)
  }
  throw new Error(`${name} does not listen`)
}

async function healthy(name: string): Promise<void> {
  // Podman runs the check by a timer of systemd, if there is one, or when it is asked to.
  if (IS_PODMAN) return void (await engine('healthcheck', 'run', name))
  for (let tried = 0; tried < 150; tried++) {
    const status = (await engine('inspect', '--format', '{{.State.Health.Status}}', name)).trim()
    if (status === 'healthy') return
    await setTimeout(200)
  }
  throw new Error(`${name} is not healthy`)
}

/** Returns the client order id. */
async function pay(port: number, credentials: Credentials): Promise<string> {
  const client = createPaymentClient({ baseUrl: `http://127.0.0.1:${port}/paynet`, ...credentials })
  const input = saleInput()
  const { outcome } = await client.sale(input)
  await client.close()
  requireSame('a sale', outcome, 'accepted')
  requireSame('its status', await statusAt(port, credentials, input.clientOrderId), 'approved')
  return input.clientOrderId
}

async function statusAt(port: number, credentials: Credentials, clientOrderId: string): Promise<string> {
  const client = createPaymentClient({ baseUrl: `http://127.0.0.1:${port}/paynet`, ...credentials })
  const { outcome } = await client.waitForOutcome({ clientOrderId })
  await client.close()
  return outcome
}

function newKey(): string {
  return randomBytes(32).toString('hex')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function requireSame(what: string, seen: unknown, wanted: unknown): void {
  if (JSON.stringify(seen) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`)
}

function say(text: string): void {
  console.log(text)
}
