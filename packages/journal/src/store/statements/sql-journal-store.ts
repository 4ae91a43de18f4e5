import type { JournalStore } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { queries } from '../schema/tables.ts'
import { answerMethods } from './answers.ts'
import { intentMethods } from './intents.ts'
import { orphanMethods } from './orphans.ts'
import { outcomeMethods } from './outcomes.ts'
import { readMethods } from './reads.ts'
import { sharedStatements } from './shared.ts'
import { one, type Runner, type Work } from './work.ts'

/** The store of a journal in an SQL database: every method, for a runner that executes the statements. */
export function sqlJournalStore<Transaction>(
  dialect: DialectName,
  runner: Runner<Transaction>,
): JournalStore<Transaction> {
  const shared = runner.alone && sharedStatements(runner.alone)
  return {
    durable: true,
    maxDeliveries: runner.maxDeliveries,
    madeAt: () => runner.read(() => madeAt(dialect)),
    ...intentMethods(dialect, runner, shared),
    ...readMethods(dialect, runner, shared),
    ...answerMethods(dialect, runner),
    ...orphanMethods(dialect, runner, shared),
    ...outcomeMethods(dialect, runner),
    close: runner.close,
  }
}

/** When the tables were made. Without a note of it: just now, so that whatever they do not know is asked for. */
function* madeAt(dialect: DialectName): Work<number> {
  const made = queries[dialect].selectFrom('journal_version').select('made_at').orderBy('made_at').limit(1)
  return (yield* one(made.compile()))?.made_at ?? Number.POSITIVE_INFINITY
}
