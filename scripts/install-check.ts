/**
 * Packs every package and installs what a user would install into empty projects: with npm, and the adapters with pnpm too. At
 * least one project installs each package, and each adapter alone; core is installed with the client. The Nest module is also
 * installed into the oldest Nest of its range, where it receives a callback, the matchers into vitest 4, and opentelemetry beside
 * the oldest API of its range. As the documentation says, a shop is bundled, and jest runs a spec in apps of `nest new`. An install
 * must not add anything that the package does not need. Two versions of TypeScript compile a small program, which then runs as ESM
 * and, for the adapters, as CommonJS; every package is loaded through `require`.
 * Reads the builds, so build first.
 *
 *     node scripts/install-check.ts              every project
 *     node scripts/install-check.ts nest         the projects whose names contain this text
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
  // Outside this repository, because a program would find its node_modules.
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
