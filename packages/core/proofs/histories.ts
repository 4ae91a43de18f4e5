/**
 * Random histories of orders against an independent model.
 *
 *     node packages/core/proofs/histories.ts [--quick] [--runs n] [--seed n]
 */

import { prove } from '../../../scripts/proof/prove.ts'
import { withCommas } from '../../../scripts/proof/with-commas.ts'
import { checkHistories } from '../test/rules/histories.ts'

await prove({
  name: 'histories',
  meaning:
    'Random histories of orders against an independent model of sums: no over-capture, no over-refund, no operation that\n' +
    'leaves a final status.',
  runs: { of: 'histories', long: 100_000, quick: 2000 },
  run: ({ runs, seed }) => {
    const { histories, events, allowed, refused } = checkHistories({ runs, seed })
    return {
      ok: histories === runs,
      figure:
        `${withCommas(histories)} histories, ${withCommas(events)} events ` +
        `(${withCommas(allowed)} allowed, ${withCommas(refused)} refused), 0 broken`,
      findings: [],
    }
  },
})
