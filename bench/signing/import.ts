import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printTable } from './table.ts'

/** Measures the CPU time of importing the built package, against node:crypto alone. Build the package first. */

const built = new URL('../../packages/signing/dist/index.js', import.meta.url)
if (!existsSync(fileURLToPath(built))) throw new Error('build @tallystick/signing first')

const RUNS = 40

function timeOf(specifier: string): number {
  const script = `const s = process.cpuUsage(); await import(${JSON.stringify(specifier)}); const e = process.cpuUsage(s); process.stdout.write(String(e.user + e.system))`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })) / 1000
}

let [bare, signing] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
for (let run = 0; run < RUNS; run++) {
  bare = Math.min(bare, timeOf('node:crypto'))
  signing = Math.min(signing, timeOf(built.href))
}
printTable('Import, CPU time in a fresh process', [
  { what: 'node:crypto', figure: bare, unit: 'ms' },
  { what: '@tallystick/signing', figure: signing / bare, unit: 'times', goal: 'at most 1.5' },
])
