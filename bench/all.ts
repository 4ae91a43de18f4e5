/**
 * Runs the benchmarks of this folder, from the sources. With `--against` each runs in turn here and on the sources of an earlier commit,
 * which are checked out beside these: the best of several runs, and what is now divided by what was then.
 *
 *     pnpm bench [PROGRAM | PROGRAM:PART...] [--against COMMIT] [--runs n] [--short]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Row, temporaryFolder } from './kit/measure.ts'

const PROGRAMS = ['control', 'oauth', 'call', 'journal', 'test', 'sale', 'life', 'order', 'postgres', 'pages', 'memory']
const USAGE = `usage: pnpm bench [PROGRAM | PROGRAM:PART...] [--against COMMIT] [--runs n] [--short]

  --against COMMIT   compare with the sources of this commit
  --runs n           how often each runs on either side (3); the best counts
  --short            measure less, to see that all works

programs: ${PROGRAMS.join(', ')}; import runs by its name, after pnpm build
`

const here = dirname(import.meta.dirname)
const { values, positionals } = parseArgs({
  options: {
    against: { type: 'string' },
    runs: { type: 'string', default: '3' },
    short: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
})

if (values.help === true) process.stdout.write(USAGE)
else if (values.against === undefined) for (const program of named()) run(here, program, 'inherit')
else compare(values.against)

function named(): readonly string[] {
  return positionals.length === 0 ? PROGRAMS : positionals
}

/** Runs a program on the sources of a checkout. Returns whether it came to its end. */
function run(checkout: string, programAndPart: string, stdio: 'inherit' | 'pipe', rowsFile = ''): boolean {
  const [program, part = []] = programAndPart.split(':')
  const flags = values.short === true ? ['--short'] : []
  const args = ['--conditions=@tallystick/source', '--no-warnings', `bench/${program}.ts`, part, flags].flat()
  const env = { ...process.env, BENCH_ROWS: rowsFile }
  return spawnSync(process.execPath, args, { cwd: checkout, stdio, env }).status === 0
}

function compare(commit: string): void {
  const then = join(temporaryFolder(), 'then')
  checkOut(commit, then)
  try {
    for (const program of named()) {
      const sides = { now: new Map<string, Row>(), before: new Map<string, Row>() }
      const failed = new Set<string>()
      for (let turn = 0; turn < Number(values.runs); turn++) {
        for (const [side, checkout] of [
          ['before', then],
          ['now', here],
        ] as const) {
          if (!keepLeast(checkout, program, sides[side])) failed.add(side)
        }
      }
      if (failed.size > 0) process.stdout.write(`${program} does not run ${[...failed].join(' and ')} to its end\n`)
      print(program, sides)
    }
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', then], { cwd: here })
  }
}

/** The packages are the commit's, the benchmarks and what they need from elsewhere are today's. */
function checkOut(commit: string, folder: string): void {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { cwd: here })
  rmSync(join(folder, 'bench'), { recursive: true })
  cpSync(join(here, 'bench'), join(folder, 'bench'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  const packages = globSync('packages/*/package.json', { cwd: folder })
  const there = new Set(packages.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).name))
  const file = join(folder, 'bench/package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const needed = Object.entries<string>(manifest.devDependencies)
  const known = needed.filter(([name, version]) => !version.startsWith('workspace:') || there.has(name))
  writeFileSync(file, JSON.stringify({ ...manifest, devDependencies: Object.fromEntries(known) }))
  execFileSync('pnpm', ['install', '--no-frozen-lockfile', '--prefer-offline'], { cwd: folder, stdio: 'ignore' })
}

/** Runs a program and keeps the least of each row. Returns whether it came to its end. */
function keepLeast(checkout: string, program: string, least: Map<string, Row>): boolean {
  const file = join(temporaryFolder(), 'rows')
  const isDone = run(checkout, program, 'pipe', file)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  for (const line of lines) {
    const { title, ...row } = JSON.parse(line) as Row & { readonly title: string }
    const name = `${title}\n${row.what}`
    const before = least.get(name)?.figure ?? Number.POSITIVE_INFINITY
    least.set(name, { ...row, figure: Math.min(before, row.figure) })
  }
  return isDone
}

/** Every row that both have. */
function print(program: string, { now, before }: Readonly<Record<'now' | 'before', ReadonlyMap<string, Row>>>): void {
  process.stdout.write(`\n${program}${' '.repeat(54 - program.length)}now      then  now/then\n`)
  for (const [name, { what, figure, unit }] of now) {
    const then = before.get(name)?.figure
    if (then === undefined) continue
    const figures = [figure, then, figure / then].map((each) => each.toFixed(2).padStart(10)).join('')
    process.stdout.write(`  ${what.slice(0, 42).padEnd(42)} ${unit.padEnd(6)}${figures}\n`)
  }
}
