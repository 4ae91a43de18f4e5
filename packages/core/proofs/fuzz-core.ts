/**
 * Gives broken input to every reader of this package: nothing may be thrown but the reader's own error, no prototype
 * touched, no inherited name read as a field, and a text of twice the length may take at most 2.3 times as long, up to
 * 1 MiB.
 *
 *     node packages/core/proofs/fuzz-core.ts [--runs 1000000] [--seed n] [--quick]
 */
import { parseArgs } from 'node:util'
import { Dice } from './dice.ts'
import { worstDoubling } from './doubling.ts'
import { FUZZ_TARGETS, type FuzzTarget } from './fuzz-targets.ts'

const USAGE = `node packages/core/proofs/fuzz-core.ts [--quick] [--runs n] [--seed n]

Gives broken input to every reader of core, and times texts that grow to 1 MiB.

  --quick    20,000 inputs to each reader instead of 1,000,000
  --runs n   so many
  --seed n   a whole number that repeats a run; it is printed in any case
`
/** The quick form runs beside other work: a square (4) has to show there, a pause must not. */
const LONG = { runs: 1_000_000, mostGrowth: 2.3, lengths: { from: 2 ** 15, to: 2 ** 20 } }
const QUICK = { runs: 20_000, mostGrowth: 3, lengths: { from: 2 ** 17, to: 2 ** 18 } }

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const { mostGrowth, lengths, ...form } = values.quick ? QUICK : LONG
const runs = Number(values.runs ?? form.runs)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)

if (values.help) process.stdout.write(USAGE)
else if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  process.stderr.write('--runs takes a whole number above zero, --seed a whole number\n')
  process.exitCode = 2
} else process.exitCode = fuzz()

function fuzz(): number {
  const begun = performance.now()
  const before = prototypes()
  const dice = new Dice(seed)
  const faults = FUZZ_TARGETS.flatMap((target) => faultsOf(target, dice))
  const doublings = FUZZ_TARGETS.flatMap(({ name, read, hard }) =>
    hard.map((make, kind) => worstDoubling(`${name}, kind ${kind}`, read, make, lengths)),
  )
  const slow = doublings.filter(({ growth }) => growth > mostGrowth)
  const worst = doublings.reduce((a, b) => (b.growth > a.growth ? b : a))
  const isUntouched = prototypes() === before
  for (const fault of faults.slice(0, 10)) process.stderr.write(`${fault}\n`)
  for (const { growth, at } of slow) process.stderr.write(`growth ${growth.toFixed(2)}: ${at}\n`)
  const isProven = faults.length === 0 && slow.length === 0 && isUntouched
  process.stdout.write(
    `fuzz-core: ${isProven ? '' : 'FAILED: '}${runs} inputs to each of ${FUZZ_TARGETS.length} readers, ` +
      `${faults.length} faults, prototypes ${isUntouched ? 'untouched' : 'TOUCHED'}, ` +
      `worst growth ${worst.growth.toFixed(2)} (${worst.at}); ` +
      `seed ${seed}, ${((performance.now() - begun) / 1000).toFixed(1)} s\n`,
  )
  return isProven ? 0 : 1
}

function faultsOf({ name, tryOne, error }: FuzzTarget, dice: Dice): string[] {
  const faults: string[] = []
  for (let run = 0; run < runs; run++) {
    try {
      const fault = tryOne(dice)
      if (fault !== undefined) faults.push(`${name}: ${fault}`)
    } catch (thrown) {
      if (error === undefined || !(thrown instanceof error)) faults.push(`${name} threw ${String(thrown)}`)
    }
  }
  return faults
}

/** Every name and value on the prototypes that a careless reader writes to. */
function prototypes(): string {
  return [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype]
    .flatMap((prototype) => Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    .map(([name, { value, get }]) => `${name}=${String(value ?? get)}`)
    .join('\n')
}
