import { cardStatements } from './card-statements.ts'
import { nonceStatements } from './nonce-statements.ts'
import { orderReads, orderWrites } from './order-statements.ts'
import { postingStatements } from './posting-statements.ts'
import { agendaStatements } from './task-statements.ts'

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
