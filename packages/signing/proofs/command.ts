import { parseArgs } from 'node:util'
import { Random } from '../test/random.ts'

/** What a proof is told on its command line. */
export type ProofOptions = {
  readonly isQuick: boolean
  readonly seed: number
  /** Other flags of this proof, by name, with their values. */
  readonly flags: Readonly<Record<string, string | undefined>>
}

/** A proof: a command that tries to break something, and says in one line what came of it. */
export type Proof = {
  readonly name: string
  readonly meaning: string
  /** Names of flags with a value, with their meanings. */
  readonly flags?: Readonly<Record<string, string>>
  run(options: ProofOptions, random: Random, progress: Progress): Promise<Outcome> | Outcome
}

/** The figure in words, and whether it is the one that was to be proven. */
export type Outcome = { readonly ok: boolean; readonly figure: string }

/** Tells how far a proof has come, on the error stream, in steps of a tenth. */
export type Progress = (done: number, all: number) => void

/** Runs a proof as a command: the figure on one line, exit code 0 or 1; 2 for a wrong command line. */
export async function prove(proof: Proof): Promise<void> {
  const options = readOptions(proof)
  if (options === undefined) return
  const started = performance.now()
  const { ok, figure } = await proof.run(options, new Random(options.seed), progressOf(proof.name))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const form = options.isQuick ? 'quick' : 'long'
  process.stdout.write(
    `${proof.name} (${form}, seed ${options.seed}, ${seconds} s): ${ok ? '' : 'FAILED: '}${figure}\n`,
  )
  process.exitCode = ok ? 0 : 1
}

function readOptions({ name, meaning, flags = {} }: Proof): ProofOptions | undefined {
  const more = Object.fromEntries(Object.keys(flags).map((flag) => [flag, { type: 'string' as const }]))
  const { values } = parseArgs({
    options: { quick: { type: 'boolean' }, help: { type: 'boolean' }, seed: { type: 'string' }, ...more },
  })
  if (values['help'] === true) {
    const lines = Object.entries({ ...flags, seed: 'a whole number; random unless given, printed in any case' })
    process.stdout.write(
      `node packages/signing/proofs/${name}.ts [--quick]\n\n${meaning}\n\n${lines.map(([flag, text]) => `  --${flag} <value>  ${text}`).join('\n')}\n`,
    )
    return undefined
  }
  const given = typeof values['seed'] === 'string' ? values['seed'] : String(Date.now() % 1_000_000_000)
  if (!/^\d{1,10}$/.test(given)) {
    process.stderr.write('--seed takes a whole number\n')
    process.exitCode = 2
    return undefined
  }
  const texts = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { isQuick: values['quick'] === true, seed: Number(given), flags: Object.fromEntries(texts) }
}

function progressOf(name: string): Progress {
  let tenths = 0
  return (done, all) => {
    const now = Math.floor((done * 10) / all)
    if (now === tenths) return
    tenths = now
    process.stderr.write(`${name}: ${now * 10} %\n`)
  }
}
