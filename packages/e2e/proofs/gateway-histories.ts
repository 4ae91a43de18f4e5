/** Random histories through the whole gateway match those on paper, in memory and in SQLite. */
import { counted, prove } from '@tallystick/proof-kit'
import { checkHistories } from '../../gateway/test/histories/check-histories.ts'

await prove({
  name: 'gateway-histories',
  meaning:
    'All operations, right and wrong, by two merchants, with customers on the pages, a bank that declines, is silent or late,\n' +
    'lost replies, restarts, changed keys and settings, and time that goes on: after every step the replies, the status, what\n' +
    'the bank hears and the callbacks are as on paper, the same in memory and in SQLite; at the end the books are right.',
  runs: { of: 'histories', long: 1000, quick: 15 },
  run: async ({ runs, seed }) => {
    const { steps, counts } = await checkHistories({ runs, seed })
    const opened = sumOf(counts, (what) => what.startsWith('open '))
    const refused = sumOf(counts, (what) => what.startsWith('refused '))
    return {
      figure: counted`${runs} histories, ${steps} steps, ${opened} orders, ${refused} refusals, 0 otherwise than on paper`,
      findings: opened > 0 && refused > 0 ? [] : ['nothing was tried'],
    }
  },
})

function sumOf(counts: Readonly<Record<string, number>>, isMeant: (what: string) => boolean): number {
  return Object.entries(counts)
    .filter(([what]) => isMeant(what))
    .reduce((sum, [, often]) => sum + often, 0)
}
