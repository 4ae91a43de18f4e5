/**
 * Runs proofs, which show something over many random cases rather than by an example. Each prints one line, `NAME: FIGURE;
 * seed N, S s`, with the seed that repeats it.
 *
 *     node scripts/prove.ts                      runs all in their long form
 *     node scripts/prove.ts --quick              runs all that need no download in their quick form, as every test run does
 *     node scripts/prove.ts histories --seed 7   runs one, with its options; its --help lists them
 *     node scripts/prove.ts --list               lists the proofs
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inTurns } from './at-once.ts'
import { type Listed, PROOFS } from './proof/proofs.ts'
import { root } from './workspace.ts'

/** Packages import each other's sources, so that no proof runs on a stale build. */
const FROM_SOURCE = ['--conditions=@tallystick/source']

const [first, ...rest] = process.argv.slice(2)
process.exitCode = await main()

async function main(): Promise<number> {
  if (first === '--help' || first === '-h')
    return print(`usage: pnpm prove [NAME] [--quick] [--runs n] [--seed n]\n\n${list()}`)
  if (first === '--list') return print(list())
  if (first === undefined || first === '--quick') return await runAll(process.argv.slice(2))
  const proof = PROOFS[first]
  if (proof !== undefined) return await run(proof, rest)
  console.error(`there is no proof ${first}\n\n${list()}`)
  return 2
}

/** Runs the quick forms two at a time. The long forms run one at a time, because some measure what they show. */
async function runAll(options: readonly string[]): Promise<number> {
  const isLong = !options.includes('--quick')
  const turns = Object.entries(PROOFS)
    .filter(([, { isLarge }]) => isLong || isLarge !== true)
    .map(([name, proof]) => ({ name, ...proof, isAlone: isLong || proof.isAlone === true }))
  let failed = 0
  await inTurns(turns, async (proof) => {
    if ((await (isLong ? run(proof, options) : runApart(proof, options))) !== 0) failed++
  })
  return failed === 0 ? 0 : 1
}

async function run({ file }: Listed, options: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, argumentsOf(file, options), { stdio: 'inherit' })
  // A signal to this process also ends the proof, which may have a server and processes of its own.
  const end = () => void child.kill('SIGTERM')
  process.once('SIGTERM', end)
  const [status] = await once(child, 'exit')
  process.off('SIGTERM', end)
  return status ?? 1
}

/** Prints the whole output of the proof when it ends, because another one may run at the same time. */
function runApart({ file }: Listed, options: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      argumentsOf(file, options),
      { maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        process.stderr.write(stderr)
        process.stdout.write(stdout)
        resolve(error === null ? 0 : 1)
      },
    )
    child.stdin?.end()
  })
}

function argumentsOf(file: string, options: readonly string[]): readonly string[] {
  return [...FROM_SOURCE, join(root, file), ...options]
}

function list(): string {
  return Object.entries(PROOFS)
    .map(([name, { shows }]) => `  ${name.padEnd(20)}${shows}`)
    .join('\n')
}

function print(text: string): number {
  console.log(text)
  return 0
}
