import { parseArgs } from 'node:util'
import type { Proof } from './proof.ts'
import { withCommas } from './with-commas.ts'

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

/** The help of a proof. */
export function usageOf({ name, meaning, runs, flags = {} }: Proof): string {
  const rows = {
    quick: `${withCommas(runs.quick)} ${runs.of} instead of ${withCommas(runs.long)}, as in every test run`,
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
