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
import { root } from './workspace.ts'

/** What is known of a proof without running it. */
interface Listed {
  /** Its package: it is `packages/OF/proofs/NAME.ts`. */
  readonly of: string
  /** What it shows, in a line. */
  readonly shows: string
  /** It measures time or uses all cores, so nothing runs at the same time as its quick form. */
  readonly isAlone?: boolean
  /** It downloads a lot or takes long even in its quick form, so it only runs by its name or with all long forms. */
  readonly isLarge?: boolean
}

const PROOFS: Readonly<Record<string, Listed>> = {
  histories: {
    of: 'core',
    shows: 'random histories of orders: no over-capture, no over-refund, no change of a final status',
  },
  differential: {
    of: 'signing',
    shows: "random requests are signed as Python's oauthlib signs them",
  },
  forgery: {
    of: 'signing',
    shows: 'no mutated request is accepted',
  },
  'fuzz-signing': {
    of: 'signing',
    shows: 'the readers of headers, forms and addresses only throw their own errors and never hang',
    isAlone: true,
  },
  'fuzz-core': {
    of: 'core',
    shows: 'the readers of forms, replies, callbacks and amounts only throw their own errors and never hang',
    isAlone: true,
  },
  'boundary-shifts': {
    of: 'e2e',
    shows: 'a control whose text is split differently moves no other money',
  },
  kill9: {
    of: 'e2e',
    shows: 'killed at any moment, the gateway neither loses nor doubles an acknowledged order',
  },
  'one-process': {
    of: 'e2e',
    shows: 'a second process on the same database is refused, but not once the first has ended',
  },
  'failing-statements': {
    of: 'e2e',
    shows: 'whichever database statement fails, no order is lost, doubled or half done',
  },
  'ended-connections': {
    of: 'e2e',
    shows: 'wherever a connection to PostgreSQL ends, no error of it goes uncaught',
  },
  recurring: {
    of: 'e2e',
    shows: 'ten years of schedules: no charge missed or doubled, whatever happens to the process, disk and clock',
  },
  'lost-replies': {
    of: 'e2e',
    shows: 'an exchange cut at any byte is resolved by status checks, or reviewed, and nothing is sent twice',
  },
  hostile: {
    of: 'e2e',
    shows: 'whatever a hostile gateway sends, a call ends by its deadline and memory stays bounded',
    isAlone: true,
  },
  'gateway-histories': {
    of: 'e2e',
    shows: 'random histories through the whole gateway match those on paper, in memory and in SQLite',
  },
  model: {
    of: 'e2e',
    shows: 'in every way that a payment can go, the journal charges once and knows it; naive shops do not',
  },
  sim: {
    of: 'e2e',
    shows: 'shop, network, gateway and bank simulated from a seed: nothing is charged twice, lost or misjudged',
    isAlone: true,
  },
  'shop-kill9': {
    of: 'e2e',
    shows: 'killed at any moment, the shop ends every payment correctly, and its handler takes effect once',
  },
  'lost-journal': {
    of: 'e2e',
    shows: 'whatever becomes of the tables of a journal, no paid key is charged again, and no refund made again',
  },
  'callback-copies': {
    of: 'e2e',
    shows: 'a thousand copies of a callback over four processes take effect once',
  },
  nodes: {
    of: 'e2e',
    shows: 'three gateways and two shops on one PostgreSQL, all killed at random: each order and effect once',
  },
  runtimes: {
    of: 'e2e',
    shows: 'on Bun, Deno and workerd too, nothing is sent twice or wrongly called not sent (downloads 150 MB)',
    isLarge: true,
  },
  'mutation-core': {
    of: 'core',
    shows: 'a change to the code of money, codecs, states or redaction fails a test',
    isAlone: true,
  },
  'mutation-signing': {
    of: 'signing',
    shows: 'a change to the code that signs, verifies, explains or guards against replays fails a test',
    isAlone: true,
  },
}

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
  if (proof !== undefined) return await run(fileOf(first, proof), rest)
  console.error(`there is no proof ${first}\n\n${list()}`)
  return 2
}

/** Runs the quick forms two at a time. The long forms run one at a time, because some measure what they show. */
async function runAll(options: readonly string[]): Promise<number> {
  const isLong = !options.includes('--quick')
  const turns = Object.entries(PROOFS)
    .filter(([, { isLarge }]) => isLong || isLarge !== true)
    .map(([name, proof]) => ({ name, file: fileOf(name, proof), isAlone: isLong || proof.isAlone === true }))
  let failed = 0
  await inTurns(turns, async ({ file }) => {
    if ((await (isLong ? run(file, options) : runApart(file, options))) !== 0) failed++
  })
  return failed === 0 ? 0 : 1
}

async function run(file: string, options: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, argumentsOf(file, options), { stdio: 'inherit' })
  // A signal to this process also ends the proof, which may have a server and processes of its own.
  const end = () => void child.kill('SIGTERM')
  process.once('SIGTERM', end)
  const [status] = await once(child, 'exit')
  process.off('SIGTERM', end)
  return status ?? 1
}

/** Prints the whole output of the proof when it ends, because another one may run at the same time. */
function runApart(file: string, options: readonly string[]): Promise<number> {
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
  return [...FROM_SOURCE, file, ...options]
}

function fileOf(name: string, { of }: Listed): string {
  return join(root, 'packages', of, 'proofs', `${name}.ts`)
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
