import type { JournalStore } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { madeAt } from '../schema/migrations.ts'
import { answerMethods } from './answers.ts'
import { intentMethods } from './intents.ts'
import { orphanMethods } from './orphans.ts'
import { outcomeMethods } from './outcomes.ts'
import { readMethods } from './reads.ts'
import type { Runner } from './work.ts'

/** The store of a journal in an SQL database: every method, for a runner that executes the statements. */
export function sqlJournalStore<Transaction>(
  dialect: DialectName,
  runner: Runner<Transaction>,
): JournalStore<Transaction> {
  return {
    durable: true,
    maxDeliveries: runner.maxDeliveries,
    madeAt: () => runner.read(() => madeAt(dialect)),
    ...intentMethods(dialect, runner),
    ...readMethods(dialect, runner),
    ...answerMethods(dialect, runner),
    ...orphanMethods(dialect, runner),
    ...outcomeMethods(dialect, runner),
    close: runner.close,
  }
}
