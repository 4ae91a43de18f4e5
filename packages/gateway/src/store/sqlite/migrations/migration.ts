import type { CompiledQuery } from 'kysely'
import type { Queries } from '../../sql/tables.ts'

/** One step of the schema. A step that was released never changes: a later change is another step. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: (queries: Queries) => readonly CompiledQuery[]
}
