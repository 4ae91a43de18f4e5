/**
 * Measures what it costs to begin: the CPU time of importing a package, each against what it builds on, in fresh processes; and how long a gateway takes to start, as a function and as the command, against a node that only imports the same
 * packages. Reads the built packages, so build first.
 *
 *     node bench/import.ts [core] [client] [signing] [gateway] [testing] [start]
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createGateway, simulator } from '@tallystick/gateway'
import { measure, printTable, size, temporaryFolder } from './kit/measure.ts'

const packages = new URL('../packages/', import.meta.url)

/** The built module of one of our packages. */
function builtModule(name: string): URL {
  const built = new URL(`${name}/dist/index.js`, packages)
  if (!existsSync(built)) throw new Error(`build @tallystick/${name} first`)
  return built
}

/** The module that an import of this name is for one of ours. */
function moduleFor(importer: URL, name: string): URL {
  return pathToFileURL(
    createRequire(importer)
      .resolve(name)
      .replace(/\.cjs$/, '.js'),
  )
}

/** A module to import, and a name that it has to export. */
type Imported = readonly [module: URL, name: string]

const RUNS = size(40, 3)

/** The CPU time of an import in fresh processes, against what it builds on. Both take turns. */
function importing(name: string, ours: Imported, theirs: Readonly<Record<string, Imported>>, goal: string): void {
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let run = 0; run < RUNS; run++) {
    times.ours.push(timeOf([ours]))
    times.theirs.push(timeOf(Object.values(theirs)))
  }
  const [mine, others] = [times.ours, times.theirs].map((each) => each.sort((a, b) => a - b))
  const ratio = (at: number) => (mine?.[at] ?? Number.NaN) / (others?.[at] ?? Number.NaN)
  printTable(`Import of @tallystick/${name}, CPU time in a fresh process`, [
    { what: Object.keys(theirs).join(', '), figure: others?.[RUNS >> 1] ?? Number.NaN, unit: 'ms' },
    { what: `@tallystick/${name} against it, median`, figure: ratio(RUNS >> 1), unit: 'times', goal },
    { what: `@tallystick/${name} against it, least`, figure: ratio(0), unit: 'times' },
    { what: 'beyond it, least', figure: (mine?.[0] ?? Number.NaN) - (others?.[0] ?? Number.NaN), unit: 'ms' },
  ])
}

function timeOf(imports: readonly Imported[]): number {
  const lines = imports.map(
    ([{ href }, name]) =>
      `if ((await import(${JSON.stringify(href)}))[${JSON.stringify(name)}] === undefined) throw new Error()`,
  )
  const script = `const started = process.cpuUsage()
${lines.join('\n')}
const { user, system } = process.cpuUsage(started)
process.stdout.write(String(user + system))`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })) / 1000
}

const zod = (): Imported => [moduleFor(builtModule('core'), 'zod'), 'safeParse']

const core = () => importing('core', [builtModule('core'), 'catalogue'], { zod: zod() }, 'at most 1.1')

const signing = () =>
  importing(
    'signing',
    [builtModule('signing'), 'signOAuth'],
    { 'node:crypto': ofNode('crypto', 'createHash') },
    'at most 1.5',
  )

function client(): void {
  const module = builtModule('client')
  const theirs: Readonly<Record<string, Imported>> = { undici: [moduleFor(module, 'undici'), 'Agent'], zod: zod() }
  importing('client', [module, 'createPaymentClient'], theirs, 'at most 1, better 0.6')
}

const ofNode = (name: string, exported: string): Imported => [new URL(`node:${name}`), exported]

/** What is imported with the gateway. */
function ofGateway(): Readonly<Record<string, Imported>> {
  const module = builtModule('gateway')
  return {
    'node:crypto': ofNode('crypto', 'createHash'),
    'node:net': ofNode('net', 'isIP'),
    'node:dns/promises': ofNode('dns/promises', 'lookup'),
    'node:zlib': ofNode('zlib', 'gzipSync'),
    zod: zod(),
    'ipaddr.js': [moduleFor(module, 'ipaddr.js'), 'default'],
    '@remix-run/html-template': [moduleFor(module, '@remix-run/html-template'), 'html'],
  }
}

const gateway = () => importing('gateway', [builtModule('gateway'), 'createGateway'], ofGateway(), 'and at most 10 ms')

function testing(): void {
  const undici: Imported = [moduleFor(builtModule('client'), 'undici'), 'Agent']
  importing('testing', [builtModule('testing'), 'startGateway'], { ...ofGateway(), undici }, 'and at most 10 ms')
}

const ROUNDS = size(11, 2)
/** What the command imports in memory, and on SQLite. Node's own modules are loaded as the command loads them. */
const IN_MEMORY = [
  '@tallystick/core',
  '@tallystick/signing',
  'zod',
  'pino',
  'prom-client',
  'ipaddr.js',
  '@remix-run/html-template',
]
const ON_SQLITE = [...IN_MEMORY, 'kysely']
const BUILT_IN = ['node:http', 'node:sqlite']
const gatewayFolder = fileURLToPath(new URL('gateway', packages))
const merchants = [{ login: 'shop', controlKey: randomUUID(), endpoints: [{ id: '253' }] }]

function create(): number {
  const began = performance.now()
  const gateway = createGateway({ publicUrl: 'http://127.0.0.1:8080/paynet', merchants, acquirer: simulator() })
  const took = performance.now() - began
  assert.equal(typeof gateway.handle, 'function')
  return took
}

/** Milliseconds until node has run these imports. */
async function importsOf(names: readonly string[]): Promise<number> {
  const statements = [
    ...names.map((name) => `await import('${name}')`),
    ...BUILT_IN.map((name) => `process.getBuiltinModule('${name}')`),
    "console.log('there')",
  ]
  const program = statements.join('\n')
  return await untilLine(['--no-warnings', '--input-type=module', '-e', program], async (line) => line === 'there')
}

/** Milliseconds until the command answers /readyz. */
async function starting(folder: string, store: string): Promise<number> {
  const main = join(gatewayFolder, 'dist/cli/main.js')
  return await untilLine(
    ['--no-warnings', main, '--config', join(folder, 'gateway.json'), '--store', store],
    async (line) => {
      const { msg, address } = JSON.parse(line) as { readonly msg: string; readonly address: string }
      if (msg !== 'listening') return false
      const { status } = await fetch(new URL('/readyz', address))
      assert.equal(status, 200)
      return true
    },
  )
}

async function untilLine(program: readonly string[], isIt: (line: string) => Promise<boolean>): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, program, { cwd: gatewayFolder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (!(await isIt(line))) continue
    const took = performance.now() - began
    child.kill('SIGKILL')
    await ended
    return took
  }
  throw new Error('the program ended without the line')
}

async function least(time: () => number | Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) shortest = Math.min(shortest, await time())
  return shortest
}

async function start(): Promise<void> {
  const folder = temporaryFolder()
  const configuration = { port: 0, metricsPort: 0, acquirer: 'simulator', merchants }
  writeFileSync(join(folder, 'gateway.json'), JSON.stringify(configuration))
  const first = create()
  const created = await least(create)
  const imports = await least(() => importsOf(IN_MEMORY))
  const importsOnSqlite = await least(() => importsOf(ON_SQLITE))
  const inMemory = await least(() => starting(folder, 'memory'))
  const onSqlite = await least(() => starting(folder, join(folder, `${randomUUID()}.db`)))
  printTable('Time until a gateway has started', [
    { what: 'createGateway in memory, the first of a process', figure: first, unit: 'ms', goal: 'under 10' },
    { what: 'createGateway in memory, a later one', figure: created, unit: 'ms' },
    { what: 'node with the same imports', figure: imports, unit: 'ms' },
    {
      what: 'the command in memory up to /readyz, against that',
      figure: inMemory / imports,
      unit: 'times',
      goal: 'under 2',
    },
    {
      what: 'the command on a new SQLite file up to /readyz, against node with its imports',
      figure: onSqlite / importsOnSqlite,
      unit: 'times',
      goal: 'under 2',
    },
  ])
}

await measure({ core, client, signing, gateway, testing, start })
