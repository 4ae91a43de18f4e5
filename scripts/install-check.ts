/**
 * Packs every package and installs what a user asks for into an empty project: by npm and, for the adapters, by pnpm too.
 * Each package is asked for by one project at least, each adapter alone; core comes along with the client. Nest's module is
 * installed into the oldest Nest of its range as well, and takes a callback there; the matchers are, into vitest 4. Nothing may come along that the package does
 * not need. A small program is compiled by two versions of TypeScript, then run, as ESM and, for the
 * adapters, as CommonJS; every package is loaded through `require`. Reads the builds, so build first.
 *
 *     node scripts/install-check.ts              every project
 *     node scripts/install-check.ts nest         those whose name has this in it
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atOnce } from './at-once.ts'
import { checkProject } from './install/check-project.ts'
import { packAll } from './install/pack.ts'
import { type Project, projects } from './install/projects.ts'

await main(process.argv[2] ?? '')

async function main(wanted: string): Promise<void> {
  // Beyond this repository, whose own node_modules a program would find otherwise.
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-install-'))
  try {
    const packed = await packAll(folder)
    const chosen = projects.filter(({ name }) => name.includes(wanted))
    let failed = 0
    await atOnce(chosen, async (project) => {
      if (!(await holds(project, () => checkProject(project, folder, packed)))) failed++
    })
    console.log(`${chosen.length} projects, ${failed} failed`)
    if (failed > 0 || chosen.length === 0) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function holds({ name }: Project, check: () => Promise<void>): Promise<boolean> {
  const started = performance.now()
  try {
    await check()
    console.log(`${name}: ok in ${((performance.now() - started) / 1000).toFixed(1)} s`)
    return true
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
