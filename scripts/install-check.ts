/**
 * Packs every package and installs what a user would install into empty projects: one workspace of pnpm, in which a package sees
 * only what it names, and a few with npm, as the documentation says of jest and bundlers. At least one project installs each
 * package, and each adapter without the gateway. The Nest module is also installed into the
 * oldest Nest of its range, where it receives a callback, the journal beside the oldest database libraries of its ranges, where it books
 * through each, the plugin into the oldest Fastify, the matchers into vitest 4, and opentelemetry beside the oldest API of its
 * range. As the documentation says, a shop is bundled, and jest runs a spec in apps of `nest new`. Each shop of `examples/frameworks`
 * is built as its framework builds, started, and paid at. An install must not add anything
 * that the package does not need. TypeScript compiles a small program, which then runs as ESM and, for the adapters,
 * as CommonJS; every package is loaded through `require`. The project `types` has older compilers, and each way of finding a package.
 * Reads the builds, so build first.
 *
 *     node scripts/install-check.ts              every project
 *     node scripts/install-check.ts nest         the projects whose names contain this text
 *     node scripts/install-check.ts --peers      the other ends of the ranges of peers, the newest too; also with a text
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atOnce } from './at-once.ts'
import {
  checkInstalled,
  compile,
  type Environment,
  install,
  pathOf,
  runPrograms,
  writeManifests,
  writePrograms,
} from './install/check-project.ts'
import { databasesFor } from './install/databases.ts'
import { packAll } from './install/pack.ts'
import { type Project, peerProjects, projects } from './install/projects.ts'

const [peers, wanted = ''] = process.argv[2] === '--peers' ? [true, process.argv[3]] : [false, process.argv[2]]
await main(peers ? peerProjects : projects, wanted)

async function main(all: readonly Project[], wanted: string): Promise<void> {
  // Outside this repository, because a program would find its node_modules.
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-install-'))
  try {
    const chosen = all.filter(({ name }) => name.includes(wanted))
    writeManifests(chosen, folder, await packAll(folder))
    const { environment, close } = await databasesFor(chosen)
    try {
      const failed = await failuresIn(chosen, folder, environment)
      console.log(`${chosen.length} projects, ${failed} failed`)
      if (failed > 0 || chosen.length === 0) process.exitCode = 1
    } finally {
      await close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How many projects, or compilers, failed. */
async function failuresIn(chosen: readonly Project[], folder: string, environment: Environment): Promise<number> {
  let failed = 0
  const holds = async (name: string, check: () => Promise<void>) => {
    const started = performance.now()
    try {
      await check()
      console.log(`${name}: ok in ${((performance.now() - started) / 1000).toFixed(1)} s`)
    } catch (error) {
      failed++
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const byNpm = chosen.filter(({ manager }) => manager === 'npm').map((project) => pathOf(project, folder))
  const installs = [
    { manager: 'pnpm', path: folder } as const,
    ...byNpm.map((path) => ({ manager: 'npm', path }) as const),
  ]
  await atOnce(installs, ({ manager, path }) => holds(`install ${path}`, () => install(manager, path)))
  const configs: string[] = []
  for (const project of chosen) {
    const path = pathOf(project, folder)
    await holds(`${project.name}, what is installed`, async () => checkInstalled(project, path))
    configs.push(...writePrograms(project, path))
  }
  if (configs.length > 0) await holds('typescript', () => compile(configs, folder))
  await atOnce(chosen, (project) =>
    holds(project.name, () => runPrograms(project, pathOf(project, folder), environment)),
  )
  return failed
}
