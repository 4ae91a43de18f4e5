import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** Whether to measure less, only to see that a program works. */
export const isShort = process.argv.includes('--short')

/** A size of the measurement, and the one that is enough for `--short`. */
export function size(full: number, short: number): number {
  return isShort ? short : full
}

/**
 * Runs the parts of a benchmark that the command line names, or all, each in a process of its own: V8 optimizes code for all that
 * a process has run.
 *
 * @param flags the flags of Node that a part needs
 */
export async function measure(
  parts: Readonly<Record<string, () => unknown>>,
  flags: Readonly<Record<string, readonly string[]>> = {},
): Promise<void> {
  const partNames = Object.keys(parts).join(', ')
  const [program = '', ...words] = process.argv.slice(1)
  if (words.includes('--help'))
    return void process.stdout.write(`usage: ${basename(program)} [PART...] [--short]\nparts: ${partNames}\n`)
  const named = words.filter((word) => !word.startsWith('--'))
  const unknown = named.find((name) => parts[name] === undefined)
  if (unknown !== undefined) throw new Error(`no part ${unknown}: ${partNames}`)
  if (words.includes('--here')) return void (await parts[named[0] ?? '']?.())
  for (const name of named.length === 0 ? Object.keys(parts) : named) {
    const ofNode = [...process.execArgv, '--no-warnings', ...(flags[name] ?? [])]
    const options = [name, '--here', ...(isShort ? ['--short'] : [])]
    const { status } = spawnSync(process.execPath, [...ofNode, program, ...options], { stdio: 'inherit' })
    process.exitCode ||= status ?? 1
  }
}

/** A folder that is gone when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** One line of a table: what was measured, the figure, and its goal. */
export type Row = { readonly what: string; readonly figure: number; readonly unit: string; readonly goal?: string }

/** Prints rows in columns, and adds them as JSON to the file that `BENCH_ROWS` names. */
export function printTable(title: string, rows: readonly Row[]): void {
  const file = process.env['BENCH_ROWS']
  if (file) appendFileSync(file, rows.map((row) => `${JSON.stringify({ title, ...row })}\n`).join(''))
  const width = Math.max(...rows.map(({ what }) => what.length))
  const lines = rows.map(({ what, figure, unit, goal = '' }) => {
    return `  ${what.padEnd(width)}  ${figure.toFixed(2).padStart(10)} ${unit.padEnd(8)} ${goal}`.trimEnd()
  })
  process.stdout.write(`${[title, ...lines].join('\n')}\n`)
}

/** Elapsed time in milliseconds. */
const wallClock = () => performance.now()

/** CPU time of this thread in milliseconds. */
export function cpuClock(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export interface Rounds {
  readonly rounds: number
  /** How long a round takes, in milliseconds. */
  readonly length: number
  readonly clock: () => number
}

/** Short rounds, of which at least one is disturbed by no other process and by no garbage collection. */
const SHORT: Rounds = { rounds: size(400, 20), length: 2, clock: wallClock }
/** With the garbage collection that the work causes. Long, because some systems count CPU time in steps of 4 ms. */
export const LONG: Rounds = { rounds: size(15, 2), length: size(500, 20), clock: cpuClock }

/** Long enough for the compiler, even on a busy machine. After a shorter time, a round had only a dozen calls of slow code. */
const WARM_MILLISECONDS = 500

/** The time of a call of each work in microseconds: the least of several rounds, in which all take turns. */
export function timeEach<const Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  { rounds, length, clock }: Rounds = SHORT,
): Record<Name, number> {
  const names = namesOf(works)
  const calls = recordOf(names, (name) => callsOf(works[name], length, clock))
  return leastOf(rounds, names, (name) => timeOf(works[name], calls[name], clock))
}

/** How many calls fill a round, once the code is warm. */
function callsOf(work: () => unknown, length: number, clock: () => number): number {
  for (const started = performance.now(); performance.now() - started < WARM_MILLISECONDS; ) work()
  for (let calls = 1; ; calls *= 2) {
    if (timeOf(work, calls, clock) * calls > length * 1000) return calls
  }
}

function timeOf(work: () => unknown, calls: number, clock: () => number): number {
  const started = clock()
  for (let call = 0; call < calls; call++) work()
  return ((clock() - started) * 1000) / calls
}

function leastOf<Name extends string>(rounds: number, names: readonly Name[], time: (name: Name) => number) {
  const least = recordOf(names, () => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round++) {
    for (const name of names) least[name] = Math.min(least[name], time(name))
  }
  return least
}

export function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(record) as Name[]
}

export function recordOf<Name extends string, Value>(names: readonly Name[], of: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>
}
