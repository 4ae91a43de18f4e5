import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** A module to import, and a name that it has to export. */
type Imported = readonly [module: URL, name: string]

interface Times {
  readonly median: number
  readonly least: number
}

const RUNS = 40

/** The CPU times of imports in fresh processes, in milliseconds. All take turns. */
export function importTimes<const Name extends string>(
  contest: Readonly<Record<Name, readonly Imported[]>>,
): Record<Name, Times> {
  const names = Object.keys(contest) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let run = 0; run < RUNS; run++) for (const name of names) times[name].push(timeOf(contest[name]))
  const timesOf = (name: Name): Times => {
    const sorted = times[name].sort((a, b) => a - b)
    return { median: sorted[RUNS >> 1] ?? Number.NaN, least: sorted[0] ?? Number.NaN }
  }
  return Object.fromEntries(names.map((name) => [name, timesOf(name)])) as Record<Name, Times>
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

/** The built module of one of our packages. */
export function builtModule(name: string): URL {
  const built = new URL(`../packages/${name}/dist/index.js`, import.meta.url)
  if (!existsSync(built)) throw new Error(`build @tallystick/${name} first`)
  return built
}

/** The module that an import of this name is for one of ours. */
export function moduleFor(importer: URL, name: string): URL {
  return pathToFileURL(
    createRequire(importer)
      .resolve(name)
      .replace(/\.cjs$/, '.js'),
  )
}
