import { signers } from './peer-signers.ts'
import { timeEach } from './ratio.ts'
import { printTable } from './table.ts'

/** Measures OAuth HMAC-SHA1 of a payout with 25 fields, from pairs to header and body, against other libraries. */

const { ours, ...peers } = timeEach(signers)
printTable('OAuth HMAC-SHA1, 25 fields, against other libraries', [
  { what: 'signOAuth', figure: ours, unit: 'us' },
  ...Object.entries(peers).map(([name, time]) => ({ what: name, figure: time / ours, unit: 'times' })),
  {
    what: 'the best of them, to signOAuth',
    figure: Math.min(...Object.values(peers)) / ours,
    unit: 'times',
    goal: 'at least 4',
  },
])
