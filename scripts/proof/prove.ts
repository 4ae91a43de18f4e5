import { type Options, readOptions, usageOf } from './options.ts'
import type { Outcome, Progress, Proof } from './proof.ts'
import { Random } from './random.ts'

const MOST_FINDINGS = 10

/**
 * Runs a proof as a command. Prints one line, `NAME: FIGURE; seed N, S s`. The exit code is 0, 1 if the proof failed, or 2 for a
 * wrong command line.
 */
export async function prove(proof: Proof): Promise<void> {
  const options = understood(proof)
  if (options === undefined) return
  const begun = performance.now()
  const { ok, figure, findings } = await outcomeOf(proof, options)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  for (const finding of findings.slice(0, MOST_FINDINGS)) process.stderr.write(`${finding}\n`)
  process.stdout.write(`${proof.name}: ${ok ? '' : 'FAILED: '}${figure}; seed ${options.seed}, ${seconds} s\n`)
  process.exitCode = ok ? 0 : 1
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
    return await proof.run({ ...options, random: new Random(options.seed), progress: progressOf(proof.name, options) })
  } catch (error) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { ok: false, figure: 'it threw', findings: [told] }
  }
}

/** Prints progress on the error stream, in steps of a tenth. */
function progressOf(name: string, { isQuick }: Options): Progress {
  let tenths = 0
  return (done, all) => {
    const now = Math.floor((done * 10) / all)
    if (isQuick || now === tenths) return
    tenths = now
    process.stderr.write(`${name}: ${now * 10} %\n`)
  }
}
