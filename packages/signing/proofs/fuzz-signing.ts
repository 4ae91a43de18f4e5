import { SigningError } from '../src/index.ts'
import type { Random } from '../test/random.ts'
import { prove } from './command.ts'
import { anyInput } from './fuzz-inputs.ts'
import { FUZZ_TARGETS, type FuzzTarget } from './fuzz-targets.ts'
import { worstGrowth } from './growth.ts'

const LONG = { inputs: 1_000_000, runs: 12, maxGrowth: 2.3 }
/** Runs beside other work: a square (4) has to show there, a pause must not. */
const QUICK = { inputs: 20_000, runs: 3, maxGrowth: 3 }

await prove({
  name: 'fuzz-signing',
  meaning:
    'Gives broken texts to every parser of this package: nothing may be thrown but a SigningError, no prototype touched,\n' +
    'and a text of twice the length may take at most 2.3 times as long, up to 1 MiB.',
  run: ({ isQuick }, random, progress) => {
    const { inputs, runs, maxGrowth } = isQuick ? QUICK : LONG
    const all = inputs * FUZZ_TARGETS.length
    const before = prototypes()
    const failures = FUZZ_TARGETS.flatMap((target, index) =>
      fuzz(target, inputs, random, (done) => progress(index * inputs + done, all)),
    )
    const growths = FUZZ_TARGETS.map(({ name, parse, hard }) => worstGrowth(name, parse, hard, runs))
    const worst = growths.reduce((a, b) => (b.worst > a.worst ? b : a))
    for (const failure of failures.slice(0, 5)) process.stderr.write(`${failure}\n`)
    const isUntouched = prototypes() === before
    return {
      ok: failures.length === 0 && isUntouched && worst.worst <= maxGrowth,
      figure: `${inputs} inputs to each of ${FUZZ_TARGETS.length} parsers, ${failures.length} foreign errors, prototypes ${isUntouched ? 'untouched' : 'TOUCHED'}, worst growth ${worst.worst.toFixed(2)} (${worst.at})`,
    }
  },
})

function fuzz(
  { name, parse, pieces }: FuzzTarget,
  inputs: number,
  random: Random,
  progress: (done: number) => void,
): string[] {
  const failures: string[] = []
  for (let done = 1; done <= inputs; done++) {
    const text = anyInput(pieces, random)
    try {
      const read = parse(text)
      if (Object.getPrototypeOf(read) !== Object.getPrototypeOf(plainOf(read)))
        failures.push(`${name} made an odd object of ${JSON.stringify(text)}`)
    } catch (error) {
      if (!(error instanceof SigningError)) failures.push(`${name} threw ${String(error)} at ${JSON.stringify(text)}`)
    }
    progress(done)
  }
  return failures
}

/** A fresh value of the same kind. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'string') return ''
  return Array.isArray(value) ? [] : {}
}

/** The names on the prototypes that a careless parser writes to. */
function prototypes(): string {
  return JSON.stringify(
    [Object.prototype, Array.prototype, Function.prototype, String.prototype].map((prototype) =>
      Reflect.ownKeys(prototype).map(String),
    ),
  )
}
