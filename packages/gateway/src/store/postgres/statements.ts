import { cardStatements, orderReads, orderWrites, postingStatements } from './order-statements.ts'
import { agendaStatements, nonceStatements } from './task-statements.ts'

/** All statements that run often, over the tables of one schema. */
export type Statements = ReturnType<typeof statementsOver>

export function statementsOver(schema: string) {
  return {
    ...orderWrites(schema),
    ...orderReads(schema),
    ...postingStatements(schema),
    ...agendaStatements(schema),
    ...cardStatements(schema),
    ...nonceStatements(schema),
  }
}
