import type { CompiledQuery } from 'kysely'
import type { Queries } from '../../sql/tables.ts'

/** One step of the schema. A step that was released never changes: a later change is another step. */
export interface Migration {
  readonly version: number
  readonly name: string
  /**
   * The earliest version whose gateways can work on the schema after this step. Steps that only add keep it, so that old
   * and new gateways run side by side while one after the other is replaced.
   */
  readonly worksWith: number
  readonly statements: (queries: Queries, schema: string) => readonly CompiledQuery[]
}
