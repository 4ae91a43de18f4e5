/**
 * Runs proofs, which show something over many random cases rather than by an example. Each prints one line, `NAME: FIGURE;
 * seed N, S s`, with the seed that repeats it. A proof is a file `proofs/NAME.ts` of a package, whose first line says what it shows.
 *
 *     node scripts/prove.ts                      runs all in their long form
 *     node scripts/prove.ts --quick              runs all that need no download in their quick form, as every test run does
 *     node scripts/prove.ts histories --seed 7   runs one, with its options; its --help lists them
 *     node scripts/prove.ts --list               lists the proofs
 */
import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { atOnce } from './at-once.ts'
import { root } from './workspace.ts'

interface Proof {
  readonly file: string
  readonly shows: string
}

const proofs: ReadonlyMap<string, Proof> = new Map(
  globSync('packages/*/proofs/*.ts', { cwd: root })
    .sort()
    .flatMap((path) => {
      const file = join(root, path)
      const source = readFileSync(file, 'utf8')
      const shows = /^(?:\/\*\*| \*) (.+?)(?: \*\/)?$/m.exec(source)?.[1] ?? ''
      return /^await (?:prove|fuzz|proveMutation)\(/m.test(source)
        ? [[basename(path, '.ts'), { file, shows }] as const]
        : []
    }),
)

/** These measure time or use all cores, so nothing runs at the same time as their quick forms. */
const ALONE = ['fuzz-core', 'fuzz-signing', 'hostile', 'sim', 'mutation-core', 'mutation-signing']
/** Takes long even in its quick form, so it only runs by its name or with all long forms. */
const LARGE = 'runtimes'

const args = process.argv.slice(2)
// A name may stand before or behind its options.
const named = args.find((argument) => proofs.has(argument))
const first = named ?? args[0]
const rest = args.filter((argument) => argument !== first)
const list = Array.from(proofs, ([name, { shows }]) => `  ${name.padEnd(20)}${shows}`).join('\n')
const one = proofs.get(first ?? '')
if (first === '--help' || first === '-h') {
  console.log(`usage: pnpm prove [NAME] [--quick] [--runs n] [--seed n]\n\n${list}`)
} else if (first === '--list') console.log(list)
else if (one !== undefined) await run(one, rest)
else if (first !== undefined && first !== '--quick') {
  console.error(`there is no proof ${first}\n\n${list}`)
  process.exitCode = 2
} else if (args.includes('--quick')) await runQuick(args)
// One at a time, because some measure what they show.
else for (const proof of proofs.values()) await run(proof, [])

async function runQuick(options: readonly string[]): Promise<void> {
  const shared = [...proofs].filter(([name]) => !ALONE.includes(name) && name !== LARGE)
  await atOnce(shared, async ([, proof]) => {
    const { stdout, stderr, ended } = start(proof, options, ['ignore', 'pipe', 'pipe'])
    // The whole output of a proof at once, because another one runs at the same time.
    const printed = await Promise.all(
      [stderr, stdout].map(async (stream) => (stream === null ? '' : await text(stream))),
    )
    await ended
    process.stdout.write(printed.join(''))
  })
  for (const [name, proof] of proofs) if (ALONE.includes(name)) await run(proof, options)
}

async function run(proof: Proof, options: readonly string[]): Promise<void> {
  await start(proof, options, 'inherit').ended
}

/** Starts a proof, on the sources of our packages, so that none runs on a stale build. */
function start({ file }: Proof, options: readonly string[], stdio: StdioOptions) {
  const child = spawn(process.execPath, ['--conditions=@tallystick/source', file, ...options], { stdio })
  // A signal to this process also ends the proof, which may have a server and processes of its own.
  const end = () => void child.kill('SIGTERM')
  process.once('SIGTERM', end)
  const ended = once(child, 'exit').then(([status]) => {
    process.off('SIGTERM', end)
    process.exitCode ||= status ?? 1
  })
  return { stdout: child.stdout, stderr: child.stderr, ended }
}
