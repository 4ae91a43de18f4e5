/**
 * Checks what has to hold before a change is merged: what `npm test` and CI run. Turbo runs the steps: the tasks `check:NAME` of
 * turbo.json, whose commands are in package.json. A failed step does not stop the others. At the end come the steps with their
 * times; the last line is the count, `N passed, N failed`.
 *
 *     node scripts/verify.ts              everything
 *     node scripts/verify.ts --quick      format, lint, types and unit tests: what needs no build and no browser
 *     node scripts/verify.ts lint types   these steps, after the build if they read it
 *     node scripts/verify.ts --help       what the steps are
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { closingLine, countOf } from './verify-count.ts'
import { root, scratch } from './workspace.ts'

/** One after the other: what the build needs nothing of, what may read it, and what uses all cores or measures time. */
const EVERYTHING = [
  ['build', 'format', 'unused', 'dependencies', 'links', 'expressions'],
  ['browser', 'install', 'lint', 'types', 'packages', 'examples', 'api'],
  ['tests'],
  ['proofs'],
]
const QUICK = [['format', 'unused', 'dependencies', 'links', 'lint', 'types'], ['unit']]

/** Two keep two cores busy. The third goes on while a browser or the registry is waited for. */
const AT_ONCE = 3

/** The steps that are not a task `check:NAME` of the root, but one of each package. */
const TASKS: Readonly<Record<string, string>> = { build: 'build', packages: 'package-lint' }
const WITH_REPORT = ['browser', 'tests', 'unit']

interface Ran {
  readonly name: string
  readonly succeeded: boolean
  readonly seconds: number
}

await main()

async function main(): Promise<void> {
  const started = performance.now()
  const ran: Ran[] = []
  for (const phase of readPhases()) ran.push(...(await runPhase(phase)))
  const counts = ran.map(({ name, succeeded }) => countOf(succeeded, reportOf(name)))
  console.log(`\n${ran.map((one, at) => `${lineOf(one)}   ${closingLine(counts[at] ?? countOf(false))}`).join('\n')}`)
  console.log(lineOf({ name: 'all', succeeded: true, seconds: (performance.now() - started) / 1000 }))
  if (counts.some(({ failed }) => failed > 0)) process.exitCode = 1
  console.log(closingLine(...counts))
}

function readPhases(): readonly (readonly string[])[] {
  const wanted = process.argv.slice(2)
  const known = [...EVERYTHING, ...QUICK].flat()
  if (wanted.some((word) => word === '--help' || word === '-h')) stopWith(0, usage())
  if (wanted[0] === '--quick') return QUICK
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) stopWith(2, `there is no step ${unknown}\n\n${usage()}`)
  if (wanted.length === 0) return EVERYTHING
  const [beforeBuild = []] = EVERYTHING
  const needsNoBuild = [...beforeBuild, ...QUICK.flat()].filter((name) => name !== 'build')
  if (wanted.every((name) => needsNoBuild.includes(name))) return [wanted]
  return [['build'], wanted.filter((name) => name !== 'build')].filter(({ length }) => length > 0)
}

/** Turbo prints the output of each step when it ends. A step of which it reports nothing has failed. */
async function runPhase(names: readonly string[]): Promise<readonly Ran[]> {
  for (const report of names.map(reportOf)) if (report !== undefined) rmSync(report, { force: true })
  const earlier = summaries()
  const flags = ['--continue=always', `--concurrency=${AT_ONCE}`, '--log-order=grouped', '--summarize']
  const options = { cwd: root, env: environment(), stdio: 'inherit', shell: process.platform === 'win32' } as const
  const turbo = spawn('turbo', ['run', ...names.map(taskOf), ...flags], options)
  const stop = () => {
    turbo.once('close', () => process.exit(1))
    turbo.kill('SIGTERM')
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  await once(turbo, 'close')
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const summary = summaries().find((file) => !earlier.includes(file))
  const tasks: readonly Task[] = summary === undefined ? [] : JSON.parse(readFileSync(summary, 'utf8')).tasks
  if (summary !== undefined) rmSync(summary)
  return names.map((name) =>
    ranOf(
      name,
      tasks.filter(({ task }) => task === taskOf(name).replace('//#', '')),
    ),
  )
}

/** The part of a task in turbo's summary that is used. Times are in milliseconds. */
interface Task {
  readonly task: string
  readonly execution?: { readonly startTime: number; readonly endTime: number; readonly exitCode: number | null }
}

function ranOf(name: string, tasks: readonly Task[]): Ran {
  const ran = tasks.map(({ execution }) => execution ?? { startTime: 0, endTime: 0, exitCode: null })
  const milliseconds =
    Math.max(...ran.map(({ endTime }) => endTime)) - Math.min(...ran.map(({ startTime }) => startTime))
  const succeeded = ran.length > 0 && ran.every(({ exitCode }) => exitCode === 0)
  return { name, succeeded, seconds: ran.length === 0 ? 0 : milliseconds / 1000 }
}

function summaries(): readonly string[] {
  const folder = join(root, '.turbo', 'runs')
  try {
    return readdirSync(folder).map((file) => join(folder, file))
  } catch {
    return []
  }
}

function taskOf(name: string): string {
  return TASKS[name] ?? `//#check:${name}`
}

function reportOf(name: string): string | undefined {
  return WITH_REPORT.includes(name) ? join(scratch, `${name}.json`) : undefined
}

/**
 * Puts the tools of the workspace and this Node first in the path, and turns telemetry off. Steps start hundreds of processes
 * from the same sources. With a compile cache each after the first starts in half the time.
 */
function environment(): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), join(root, 'node_modules', '.bin'), process.env['PATH'] ?? '']
  return {
    ...process.env,
    PATH: path.join(delimiter),
    NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
  }
}

function lineOf({ name, succeeded, seconds }: Ran): string {
  return `${name.padEnd(14)}${seconds.toFixed(1).padStart(7)} s   ${succeeded ? '' : 'FAILED   '}`.trimEnd()
}

function usage(): string {
  const { tasks } = JSON.parse(readFileSync(join(root, 'turbo.json'), 'utf8'))
  const list = (phases: readonly (readonly string[])[]) =>
    phases
      .flat()
      .map((name) => `  ${name.padEnd(14)}${tasks[taskOf(name)].description}\n`)
      .join('')
  return `usage: npm test [-- --quick | -- STEP...]\n\nEverything, which is what CI runs:\n${list(EVERYTHING)}\n--quick:\n${list(QUICK)}`
}

function stopWith(code: number, text: string): never {
  if (code === 0) console.log(text)
  else console.error(text)
  process.exit(code)
}
