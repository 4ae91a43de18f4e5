import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGateway, simulator } from '@tallystick/gateway'
import { printTable } from '../signing/table.ts'

/**
 * Measures how long a gateway takes to start: as a function, and as the command (build first), against a node that only imports
 * the same packages.
 *
 *     node --conditions=@tallystick/source bench/gateway/start.ts
 */

const ROUNDS = 11
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
const gatewayFolder = join(import.meta.dirname, '../../packages/gateway')
const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
const merchants = [{ login: 'shop', controlKey: randomUUID(), endpoints: [{ id: '253' }] }]
writeFileSync(
  join(folder, 'gateway.json'),
  JSON.stringify({ port: 0, metricsPort: 0, acquirer: 'simulator', merchants }),
)

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
async function starting(store: string): Promise<number> {
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

const first = create()
const created = await least(create)
const imports = await least(() => importing(IN_MEMORY))
const importsOnSqlite = await least(() => importing(ON_SQLITE))
const inMemory = await least(() => starting('memory'))
const onSqlite = await least(() => starting(join(folder, `${randomUUID()}.db`)))
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
rmSync(folder, { recursive: true })
