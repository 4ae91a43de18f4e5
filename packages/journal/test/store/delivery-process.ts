/** A process of the shop that calls its handler with every open outcome, until it is killed or none is left. */
import { once } from 'node:events'
import { postgresJournalStore } from '../../src/postgres.ts'

const [, , connectionString = ''] = process.argv
const store = postgresJournalStore({ connectionString })
// It must not outlive the process that started it.
process.once('disconnect', () => process.exit())

while ((await store.countOpenOutcomes()) > 0) {
  for (const { outcome } of await store.openOutcomes(0, 10)) {
    await store.deliver(outcome, 1, async (transaction) => {
      await transaction.query('insert into effects values ($1)', [outcome.key])
      // Written but not committed: now the test kills it, or lets it go on.
      const answer = once(process, 'message')
      process.send?.(outcome.key)
      await answer
    })
  }
}
await store.close()
process.disconnect()
