import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { Random } from './random.ts'

/** A proof: a command that tries to break something, and prints the result in one line. */
export interface Proof {
  readonly name: string
  readonly meaning: string
  /** How often it tries, in its two forms, and what is counted, such as `histories`. */
  readonly runs: { readonly of: string; readonly long: number; readonly quick: number }
  /** Names of further flags, each with a value, with their meanings. */
  readonly flags?: Readonly<Record<string, string>>
  /** Where its folder is. Default: among the temporary files. */
  readonly parentFolder?: string
  readonly run: (order: Order) => Promise<Outcome> | Outcome
}

/** What a run works with. */
export interface Order extends Omit<Options, 'isHelp'> {
  readonly random: Random
  progress(done: number, all: number): void
  /** A folder for its files, removed at the end. */
  readonly folder: string
  /** Closes something at the end, however that comes; what was opened last is closed first. */
  after(close: () => unknown): void
}

/** What a run showed. It proves what it should if there are no findings. */
export interface Outcome {
  readonly figure: string
  /** What broke, if anything did. The first ten are printed on the error stream. */
  readonly findings: readonly string[]
}

const MOST_FINDINGS = 10

/**
 * Runs a proof as a command. Prints one line, `NAME: FIGURE; seed N, S s`. The exit code is 0, 1 if the proof failed, or 2 for a
 * wrong command line.
 */
export async function prove(proof: Proof): Promise<void> {
  // A thread of a proof may begin in its module.
  const options = isMainThread ? understood(proof) : undefined
  if (options === undefined) return
  const begun = performance.now()
  const { figure, findings } = await outcomeOf(proof, options)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  for (const finding of findings.slice(0, MOST_FINDINGS)) process.stderr.write(`${finding}\n`)
  const verdict = findings.length === 0 ? '' : 'FAILED: '
  process.stdout.write(`${proof.name}: ${verdict}${figure}; seed ${options.seed}, ${seconds} s\n`)
  process.exitCode = findings.length === 0 ? 0 : 1
}

function understood(proof: Proof): Options | undefined {
  try {
    const options = readOptions(proof, process.argv.slice(2), Date.now() % 2 ** 31)
    if (!options.isHelp) return options
    process.stdout.write(usageOf(proof))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    process.stderr.write(`${error.message}\n\n${usageOf(proof)}`)
    process.exitCode = 2
  }
  return undefined
}

/** An error that the proof throws is a finding too, because the line with the seed has to be printed. */
async function outcomeOf(proof: Proof, options: Options): Promise<Outcome> {
  try {
    return await runOf(proof, options)
  } catch (error) {
    return { figure: 'it threw', findings: [describeError(error)] }
  }
}

async function runOf(proof: Proof, options: Options): Promise<Outcome> {
  // What it and its children write is for their user alone: the stores warn of files of payments that others may read.
  process.umask(0o077)
  const folder = mkdtempSync(join(proof.parentFolder ?? tmpdir(), `${proof.name}-`))
  const closers: (() => unknown)[] = []
  const after: Order['after'] = (close) => void closers.unshift(close)
  try {
    const random = new Random(options.seed)
    return await proof.run({ ...options, random, progress: progressOf(proof.name, options), folder, after })
  } finally {
    for (const close of closers) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** With its stack, if it has one. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Prints progress on the error stream, in steps of a tenth. */
function progressOf(name: string, { isQuick }: Options): Order['progress'] {
  let tenths = 0
  return (done, all) => {
    const now = Math.floor((done * 10) / all)
    if (isQuick || now === tenths) return
    tenths = now
    process.stderr.write(`${name}: ${now * 10} %\n`)
  }
}

/** The options on a proof's command line. */
export interface Options {
  readonly isHelp: boolean
  readonly isQuick: boolean
  readonly runs: number
  readonly seed: number
  readonly flags: Readonly<Record<string, string>>
}

const TEXT = { type: 'string' } as const
const SWITCH = { type: 'boolean', default: false } as const
/** The quick form tries the same cases each time, so that only changes alter its result. The long form looks for new cases. */
const QUICK_SEED = 1

/**
 * Reads the flags of every proof, and the proof's own.
 *
 * @throws TypeError if the command line is wrong
 */
export function readOptions({ runs, flags = {} }: Proof, args: readonly string[], anySeed: number): Options {
  const own = Object.fromEntries(Object.keys(flags).map((flag) => [flag, TEXT]))
  const { values } = parseArgs({
    args: [...args],
    options: { help: SWITCH, quick: SWITCH, runs: TEXT, seed: TEXT, ...own },
  })
  const texts = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const given = new Map(texts)
  const isQuick = values['quick'] === true
  return {
    isHelp: values['help'] === true,
    isQuick,
    runs: wholeNumber('runs', 1, given.get('runs') ?? runs[isQuick ? 'quick' : 'long']),
    seed: wholeNumber('seed', 0, given.get('seed') ?? (isQuick ? QUICK_SEED : anySeed)),
    flags: Object.fromEntries(texts.filter(([name]) => name in own)),
  }
}

export function usageOf({ name, meaning, runs, flags = {} }: Proof): string {
  const rows = {
    quick: counted`${runs.quick} ${runs.of} instead of ${runs.long}, as in every test run`,
    'runs n': `number of ${runs.of}`,
    'seed n': 'a whole number that repeats a run; every run prints its seed',
    ...Object.fromEntries(Object.entries(flags).map(([flag, text]) => [`${flag} n`, text])),
  }
  const lines = Object.entries(rows).map(([flag, text]) => `  --${flag.padEnd(10)}${text}`)
  return `pnpm prove ${name} [options]\n\n${meaning}\n\n${lines.join('\n')}\n`
}

function wholeNumber(flag: string, least: number, given: string | number): number {
  const number = Number(given)
  if (/^\d{1,10}$/.test(`${given}`) && number >= least) return number
  throw new TypeError(`--${flag} must be a whole number${least > 0 ? ' above zero' : ''}`)
}

/** A text whose numbers have commas between the thousands. */
export function counted(texts: TemplateStringsArray, ...values: readonly (number | string)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => value.toLocaleString('en')))
}
