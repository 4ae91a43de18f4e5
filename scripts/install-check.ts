/**
 * Packs every package and installs each into an empty project, as a user does: by npm and, for the adapters, by pnpm too.
 * There a small program is compiled by two versions of TypeScript, then run, as ESM and through `require`; and nothing
 * may have come along that the package does not need. Reads the builds, so build first.
 *
 *     node scripts/install-check.ts              every project
 *     node scripts/install-check.ts nest         those whose name has this in it
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkProject } from './install/check-project.ts'
import { packAll } from './install/pack.ts'
import { type Project, projects } from './install/projects.ts'

main(process.argv[2] ?? '')

function main(wanted: string): void {
  // Beyond this repository, whose own node_modules a program would find otherwise.
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-install-'))
  try {
    const packed = packAll(folder)
    const chosen = projects.filter(({ name }) => name.includes(wanted))
    const failed = chosen.filter((project) => !holds(project, () => checkProject(project, folder, packed)))
    console.log(`${chosen.length} projects, ${failed.length} failed`)
    if (failed.length > 0 || chosen.length === 0) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function holds({ name }: Project, check: () => void): boolean {
  const started = performance.now()
  try {
    check()
    console.log(`${name}: ok in ${((performance.now() - started) / 1000).toFixed(1)} s`)
    return true
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
