/**
 * Random histories of orders against an independent model: no over-capture, no over-refund, no operation that leaves a
 * final status.
 *
 *     node packages/core/proofs/histories.ts [--runs 100000] [--seed n] [--quick]
 */
import { parseArgs } from 'node:util'
import { checkHistories } from '../test/rules/histories.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const runs = Number(values.runs ?? (values.quick ? 2000 : 100_000))
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  throw new TypeError('--runs must be a whole number above zero, --seed a whole number')
}

const begun = performance.now()
const { histories, events, allowed, refused } = checkHistories({ runs, seed })
const seconds = ((performance.now() - begun) / 1000).toFixed(1)
process.stdout.write(
  `histories: ${histories} histories, ${events} events (${allowed} allowed, ${refused} refused), 0 broken; ` +
    `seed ${seed}, ${seconds} s\n`,
)
