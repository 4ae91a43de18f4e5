/**
 * Random histories of orders: no over-capture, no over-refund, no change of a final status.
 *
 *     pnpm prove histories [--quick] [--runs n] [--seed n]
 */

import { prove, withCommas } from '@tallystick/proof-kit'
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
