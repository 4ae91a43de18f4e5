/** Random histories of orders: no over-capture, no over-refund, no change of a final status. */
import { counted, prove } from '@tallystick/proof-kit'
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
      figure: counted`${histories} histories, ${events} events (${allowed} allowed, ${refused} refused), 0 broken`,
      findings: histories === runs ? [] : [`not all ${runs} ran`],
    }
  },
})
