import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { print } from './timing.ts'

/** Measures the CPU time of importing the built package in a fresh process, against zod alone. Build the package first. */

const core = new URL('../../packages/core/dist/index.js', import.meta.url)
if (!existsSync(fileURLToPath(core))) throw new Error('build @tallystick/core first')
const zod = pathToFileURL(
  createRequire(core)
    .resolve('zod')
    .replace(/\.cjs$/, '.js'),
)

const RUNS = 25

/** Times an import, in milliseconds. The module has to export the given name. */
function timeOf(module: URL, name: string): number {
  const script = `
    const started = process.cpuUsage()
    const module = await import(${JSON.stringify(module.href)})
    const { user, system } = process.cpuUsage(started)
    if (module[${JSON.stringify(name)}] === undefined) throw new Error('the import lacks ' + ${JSON.stringify(name)})
    process.stdout.write(String(user + system))`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })) / 1000
}

const ofZod: number[] = []
const ofCore: number[] = []
for (let run = 0; run < RUNS; run++) {
  ofZod.push(timeOf(zod, 'safeParse'))
  ofCore.push(timeOf(core, 'catalogue'))
}

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN

process.stdout.write('Import, CPU time in a fresh process\n')
print('zod alone, median', median(ofZod), 'ms')
print('@tallystick/core, median', median(ofCore) / median(ofZod), 'times', 'at most 1.1')
print('@tallystick/core, least', Math.min(...ofCore) / Math.min(...ofZod), 'times')
