/**
 * Runs the commands of the workflows in a fresh clone of what is committed, in the order of the files, each command once. What needs
 * GitHub, another machine or hours is listed below with its reason, and printed.
 *
 *     node scripts/workflow-runs.ts           runs them
 *     node scripts/workflow-runs.ts pnpm      those that contain this text
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { run } from './install/run.ts'
import { root } from './workspace.ts'

/** Why a command is not run here, by a part of it. */
const NOT_HERE: readonly (readonly [part: string, reason: string])[] = [
  ['sudo apt-get', 'changes the machine'],
  ['gh release upload', 'needs a release'],
  ['bash .ci/run', 'is what runs everything else: minutes'],
  ['npm test -- --quick', 'is a part of that'],
  ['pnpm prove', 'takes hours: `pnpm prove --quick` is a part of `npm test`'],
  ['install-check.ts', 'takes long: run it by itself'],
  ['container-check.ts', 'needs Docker or Podman: run it by itself'],
  ['release:dry', 'makes clones of its own: run it by itself'],
]

const LIMIT_MS = 1_800_000

interface Step {
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

const [wanted = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'tallystick-workflows-'))
try {
  const clone = join(folder, 'clone')
  await run('git', ['clone', '--quiet', root, clone], folder)
  const path = join(folder, 'GITHUB_PATH')
  writeFileSync(path, '')
  for (const [command, env] of commands()) {
    const reason = NOT_HERE.find(([part]) => command.includes(part))?.[1]
    const title = command.trim().split('\n').at(-1)
    if (!command.includes(wanted)) continue
    if (reason !== undefined) console.log(`NOT RUN   ${title}   ${reason}`)
    else {
      const added = readFileSync(path, 'utf8').split('\n').filter(Boolean).reverse()
      const PATH = [...added, process.env['PATH'] ?? ''].join(':')
      await run('bash', ['-e', '-o', 'pipefail', '-c', command], clone, { ...env, PATH, GITHUB_PATH: path }, LIMIT_MS)
      console.log(`ok        ${title}`)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Those of the set-up first, as each job has it. An expression becomes what a run that succeeds has there. */
function commands(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const files = ['.github/actions/set-up/action.yml', ...globSync('.github/workflows/*.yml', { cwd: root }).sort()]
  const steps = files.flatMap((file): readonly Step[] => {
    const { jobs = {}, runs = { steps: [] } } = parse(readFileSync(join(root, file), 'utf8'))
    return [runs, ...Object.values<{ readonly steps: readonly Step[] }>(jobs)].flatMap((each) => each.steps)
  })
  const values: Readonly<Record<string, string>> = { IGNORE_SCRIPTS: 'false', RESULTS: 'success success' }
  return new Map(
    steps.flatMap(({ run: command, env = {} }) => {
      const known = Object.keys(env).map((name) => [name, values[name] ?? ''])
      return command === undefined ? [] : [[command, Object.fromEntries(known)] as const]
    }),
  )
}
