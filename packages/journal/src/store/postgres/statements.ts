import { SQLSTATE, serverErrorOf } from '@tallystick/durable/sqlstate'
import { MARKER, TABLES } from '../schema/migrations.ts'
import { type Statements, schemaBefore } from '../session/server.ts'

const inSchema = schemaBefore(new RegExp(`"(?:${[...TABLES, MARKER].join('|')})"`, 'g'), '"')

/** How statements of ours are run on PostgreSQL: they mean the same tables whatever the `search_path` of the connection. */
export const statements: Statements = {
  statement: ({ sql, parameters }, schema) => ({ text: inSchema(sql, schema), values: parameters }),
  isTableGone: (error) => {
    const { code, message = '' } = serverErrorOf(error) ?? {}
    return (code === SQLSTATE.UNDEFINED_TABLE && /journal_/.test(message)) || code === SQLSTATE.INVALID_SCHEMA
  },
}
