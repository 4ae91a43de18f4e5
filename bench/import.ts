/**
 * Measures what it costs to begin: the CPU time of importing core, client and signing, each against what it builds on, in fresh
 * processes; the archives of these three packages, which a merchant installs; and how long a gateway takes to start, as a function
 * and as the command, against a node that only imports the same packages. Reads the built packages, so build first.
 *
 *     node bench/import.ts [core] [client] [signing] [start]
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createGateway, simulator } from '@tallystick/gateway'
import { measure, namesOf, printTable, recordOf, size, temporaryFolder } from './kit/measure.ts'

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

/** The CPU times of imports in fresh processes, in milliseconds. All take turns. */
function importTimes<const Name extends string>(contest: Readonly<Record<Name, readonly Imported[]>>) {
  const names = namesOf(contest)
  const times = recordOf(names, (): number[] => [])
  for (let run = 0; run < RUNS; run++) for (const name of names) times[name].push(timeOf(contest[name]))
  return recordOf(names, (name) => {
    const sorted = times[name].sort((a, b) => a - b)
    return { median: sorted[RUNS >> 1] ?? Number.NaN, least: sorted[0] ?? Number.NaN }
  })
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

function core(): void {
  const module = builtModule('core')
  const { zod, core } = importTimes({ zod: [[moduleFor(module, 'zod'), 'safeParse']], core: [[module, 'catalogue']] })
  printTable('Import, CPU time in a fresh process', [
    { what: 'zod alone, median', figure: zod.median, unit: 'ms' },
    { what: '@tallystick/core, median', figure: core.median / zod.median, unit: 'times', goal: 'at most 1.1' },
    { what: '@tallystick/core, least', figure: core.least / zod.least, unit: 'times' },
  ])
}

function signing(): void {
  const { bare, signing } = importTimes({
    bare: [[new URL('node:crypto'), 'createHash']],
    signing: [[builtModule('signing'), 'signOAuth']],
  })
  printTable('Import, CPU time in a fresh process', [
    { what: 'node:crypto', figure: bare.least, unit: 'ms' },
    { what: '@tallystick/signing', figure: signing.least / bare.least, unit: 'times', goal: 'at most 1.5' },
  ])
}

function client(): void {
  const client = builtModule('client')
  const zod = moduleFor(builtModule('core'), 'zod')
  const { ours, others } = importTimes({
    ours: [[client, 'createPaymentClient']],
    others: [
      [moduleFor(client, 'undici'), 'Agent'],
      [zod, 'safeParse'],
    ],
  })
  printTable('Import, CPU time in a fresh process', [
    { what: 'undici and zod', figure: others.median, unit: 'ms' },
    {
      what: '@tallystick/client against both',
      figure: ours.median / others.median,
      unit: 'times',
      goal: 'at most 1, better 0.6',
    },
  ])
  const sizes = ['client', 'core', 'signing'].map((name) => ({ what: name, figure: kilobytesOf(name), unit: 'KB' }))
  const figure = sizes.reduce((sum, size) => sum + size.figure, 0)
  printTable('To download, without dependencies and licence', [
    ...sizes,
    { what: 'together', figure, unit: 'KB', goal: 'at most 600' },
  ])
}

/** The published files of a package as an archive, without the licence: `files` of the manifest, the manifest and the README. */
function kilobytesOf(name: string): number {
  const cwd = fileURLToPath(new URL(name, packages))
  const manifest: { readonly files: readonly string[] } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8'))
  const archive = ['-czf', '-', ...manifest.files, 'package.json', 'README.md']
  return execFileSync('tar', archive, { cwd, maxBuffer: 2 ** 26 }).byteLength / 1000
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
async function importing(names: readonly string[]): Promise<number> {
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
  const imports = await least(() => importing(IN_MEMORY))
  const importsOnSqlite = await least(() => importing(ON_SQLITE))
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

await measure({ core, client, signing, start })
